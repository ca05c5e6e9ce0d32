// expect: 'payload' is a second body: the body is 'body'
import NetworkClientMacros

@Post("/items")
struct TwoBodies {
    let body: String
    @Body var payload: String
}
