// expect: a HEAD request has no body: use @Post, @Put or @Patch
import NetworkClientMacros

@Head("/items")
struct HeadWithABody {
    @Body var payload: String
}
