// expect: @Query marks a property of a struct with @Get, @Post or another method
import NetworkClientMacros

struct MarkWithoutAMethod: RoutedEndpoint {
    static let route: Route = .get("/items")
    @Query var page: Int?
}
