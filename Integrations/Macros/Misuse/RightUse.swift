// expect: no error
import NetworkClientMacros

/// Types that hide names of the library, as those of an app may.
private struct Endpoint {}
private struct HeaderField {}

enum RightUse {
    struct Route: Codable { var stops: [String] }

    /// Compiles, which proves that the other programs fail for their declarations and not for a missing module.
    @Get("/routes/:id/{from}-{upTo}", of: [Route].self)
    public struct Search {
        @Path var id: UUID
        @Path var from: Int
        @Path("upTo") let end: Int
        @Query("q") var text: String
        @Query var page: Int?
        @Header var acceptLanguage = "el"
        static let limit = 3
        var isFirst: Bool { page == nil }
        let options = CallOptions(idleTimeout: 5)

        func value(from response: NetworkClient.Response<[Route]>) async throws -> [String] {
            response.item.flatMap(\.stops)
        }
    }

    @Delete("/routes/:id")
    struct Remove<Reason: Encodable & Sendable> {
        @Path var id: Int
        @Body var reason: Reason?
        @Header var trace: String?
        var headers: [String: String?] { ["A": "b"] }
    }

    @Post("/orders")
    struct Order {
        let token: String
        let lines: [String]
        let name: String

        var headers: [String: String?] { ["Authorization": "Bearer \(token)"] }
        var body: [String: [String]] { ["lines": lines] }
        var options: CallOptions { CallOptions(errorMapper: [404: OrderError.gone(name)]) }
    }

    enum OrderError: Error { case gone(String) }
}

func rightUse(_ client: NetworkClient) async throws -> [String] {
    try await client.fetch(RightUse.Remove<String>(id: 1))
    return try await client.fetch(RightUse.Search(id: UUID(), from: 1, end: 2, text: "tea")).item
}
