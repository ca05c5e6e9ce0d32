import NetworkClientMacros
import Others

/// Beside a macro of the same name, the module is written, too; beside property wrappers and types, nothing is.
@NetworkClientMacros.Method("SEARCH", "/users/:id", of: [String].self)
struct SearchUser {
    @Path var id: Int
    @NetworkClientMacros.Query var page: Int?
    @Query("q") var text: String
    @Header var acceptLanguage: String?
    @Header("X-Trace") var trace: String
}

struct Filled {
    @Others.Header var name: String
    let route = Others.Route()
}

func search(_ client: NetworkClient) async throws -> [String] {
    let filled = Filled(name: "tea")
    let search = SearchUser(id: 1, page: nil, text: filled.name, acceptLanguage: nil, trace: "t")
    return try await client.fetch(search).item
}
