// expect: 'page' would not be sent: mark it @Query, @Path, @Header or @Body, or make it static
import NetworkClientMacros

@Get("/items")
struct PropertyWithoutAMark {
    var page: Int
}
