import NetworkClient

final class ItemStore {
    private let client: NetworkClient
    private var page = 1
    private(set) var items: [Item] = []

    init(baseURL: URL) {
        client = NetworkClient(
            interceptors: [StampInterceptor(stamp: "a"), .retry()],
            decoder: ListDecoder(),
            configuration: .init(baseURL: baseURL)
        )
    }

    func loadNextPage() async throws {
        items += try await client.fetch(.get(path: "items").add(query: "page", value: page), as: [Item].self).item
        page += 1
    }

    func item(_ id: Int) async throws -> Item {
        try await client.fetch(ItemEndpoint(id: id)).item
    }

    func add(_ item: Item) async throws {
        let request = try client.request.post(path: "items").bodyJson(of: item).build()
        let response: NetworkClient.Response<Item> = try await client.fetch(request: request)
        items.append(response.item)
    }

    func replace(_ item: Item) async throws {
        let upload = try client.upload(.put(path: "items/\(item.id)").bodyJson(of: item), as: Item.self)
        for await progress in upload.progress where progress.completed > 0 { break }
        items.append(try await upload.value.item)
    }

    func remove(_ id: Int) async throws {
        try await client.fetch(.delete(path: "items/\(id)"))
        items.removeAll { $0.id == id }
    }
}

// Decoded off the caller's actor, so not isolated to it where isolation is the default.
nonisolated struct Item: Codable, Sendable {
    let id: Int
}

struct StampInterceptor: InterceptorProtocol {
    let stamp: String

    func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
        try await next(request.setting(header: .custom(name: "X-Stamp", value: stamp)))
    }
}

// With this feature, the type of `next` means another one when it is written out.
#if !hasFeature(NonisolatedNonsendingByDefault)
struct PlainInterceptor: InterceptorProtocol {
    func process(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
    ) async throws -> NetworkClient.ChainResult {
        try await next(request)
    }
}
#endif

struct ListDecoder: DecoderProtocol {
    func decode<D: Decodable>(data: Data) throws -> D {
        try JSONDecoder().decode(D.self, from: data)
    }
}

struct ItemEndpoint: Endpoint {
    typealias Response = Item
    let id: Int

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.get(path: "items/\(id)").build()
    }
}
