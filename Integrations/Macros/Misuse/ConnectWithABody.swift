// expect: a CONNECT request has no body: use @Post, @Put or @Patch
import NetworkClientMacros

@Method("CONNECT", "/items")
struct ConnectWithABody {
    let body: String
}
