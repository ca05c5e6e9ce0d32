// expect: a TRACE request has no body: use @Post, @Put or @Patch
import NetworkClientMacros

@Trace("/items")
struct TraceWithABody {
    let body: String
}
