// expect: @Put describes a request by the properties of a struct: write 'struct'
import NetworkClientMacros

@Put("/items")
actor ActorAsAnEndpoint {}
