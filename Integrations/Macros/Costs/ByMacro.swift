import NetworkClientMacros

@Get("/users/:id/posts")
struct ByMacro {
    @Path var id: Int
    @Query var page: Int? = 2
    @Query("q") var text = "tea"
    @Header var acceptLanguage = "el"
}

@Post("/users/:id/posts")
struct SentByMacro {
    @Path var id: Int
    let body: Post
}
