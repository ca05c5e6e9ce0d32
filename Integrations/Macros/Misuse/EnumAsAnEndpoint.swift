// expect: @Post describes a request by the properties of a struct: write 'struct'
import NetworkClientMacros

@Post("/items")
enum EnumAsAnEndpoint { case all }
