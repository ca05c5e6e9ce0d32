// expect: a GET request has no body: use @Post, @Put or @Patch
import NetworkClientMacros

@Get("/items")
struct GetWithABody {
    let body: String
}
