// expect: a struct is one request: remove @Post, or declare another struct for it
import NetworkClientMacros

@Get("/items", of: [Int].self)
@Post("/items", of: Int.self)
struct TwoMethods {}
