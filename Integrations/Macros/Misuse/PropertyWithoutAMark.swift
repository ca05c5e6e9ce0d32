// expect: 'page' would not be sent: mark it @Query, @Path, @Header or @Body, read it in 'headers' or 'body'
import NetworkClientMacros

@Get("/items")
struct PropertyWithoutAMark {
    var page: Int
}
