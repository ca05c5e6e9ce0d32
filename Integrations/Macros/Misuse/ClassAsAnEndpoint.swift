// expect: @Get describes a request by the properties of a struct: write 'struct'
import NetworkClientMacros

@Get("/items")
final class ClassAsAnEndpoint: Sendable {}
