// expect: 'second' has the name 'q' of 'first'
// expect: 'other' has the name 'accept-language' of 'acceptLanguage'
// expect: 'alias' has the name 'id' of 'id'
import NetworkClientMacros

@Get("/search/:id")
struct TwoPropertiesForOneName {
    @Path var id: Int
    @Path("id") var alias: Int
    @Query("q") var first: String
    @Query("q") var second: String
    @Header var acceptLanguage: String
    @Header("accept-language") var other: String
}
