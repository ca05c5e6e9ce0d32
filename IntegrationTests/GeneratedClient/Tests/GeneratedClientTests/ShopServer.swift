import Foundation
import Hummingbird

/// A Hummingbird server with the routes of `openapi.yaml`, written by hand.
actor ShopServer {
    struct NewItem: Decodable { let name: String }

    struct Item: ResponseEncodable {
        let id: Int
        let name: String
    }

    struct Problem: ResponseEncodable {
        let title: String
        let status: Int
    }

    /// Opened when the first chunk of a photo has reached the server, and by the client when it has received one.
    nonisolated let uploadBegan = Gate()
    nonisolated let downloadBegan = Gate()

    private(set) var requestsOfTheList = 0
    private var items: [Item] = []
    private var photo: [ByteBuffer] = []

    /// Runs the server on a free port of the loopback while a function runs.
    nonisolated func run(_ use: (URL) async throws -> Void) async throws {
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: router(),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { continuation.yield(port) }
                continuation.finish()
            }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { continuation.finish() }
                try await application.run()
            }
            for await port in ports {
                guard let url = URL(string: "http://127.0.0.1:\(port)/api") else { continue }
                try await use(url)
                group.cancelAll()
            }
            do { try await group.waitForAll() } catch is CancellationError {}
        }
    }

    private nonisolated func router() -> Router<BasicRequestContext> {
        let router = Router()
        let items = router.group("api/items")
        items.get { request, context in
            guard let items = await self.list(limit: request.uri.queryParameters.get("limit", as: Int.self)) else {
                return Response(status: .serviceUnavailable)
            }
            return try items.response(from: request, context: context)
        }
        items.post { request, context in
            let item = await self.create(try await request.decode(as: NewItem.self, context: context))
            return EditedResponse(status: .created, headers: [.location: "/api/items/\(item.id)"], response: item)
        }
        items.get(":id") { request, context in
            if let item = await self.item(try context.parameters.require("id", as: Int.self)) {
                return try item.response(from: request, context: context)
            }
            var response = try Problem(title: "No such item", status: 404).response(from: request, context: context)
            response.status = .notFound
            response.headers[.contentType] = "application/problem+json"
            return response
        }
        addPhotos(to: items)
        return router
    }

    private nonisolated func addPhotos(to items: RouterGroup<BasicRequestContext>) {
        items.put(":id/photo") { request, _ in
            for try await chunk in request.body {
                await self.keep(chunk)
                self.uploadBegan.open()
            }
            return HTTPResponse.Status.noContent
        }
        items.get(":id/photo") { _, _ in
            let chunks = await self.photo
            return Response(
                status: .ok,
                headers: [.contentType: "application/octet-stream"],
                body: ResponseBody { writer in
                    for (index, chunk) in chunks.enumerated() {
                        if index == 1 { await self.downloadBegan.wait() }
                        try await writer.write(chunk)
                    }
                    try await writer.finish(nil)
                }
            )
        }
    }

    /// Returns nil for the first request.
    private func list(limit: Int?) -> [Item]? {
        requestsOfTheList += 1
        return requestsOfTheList == 1 ? nil : Array(items.prefix(limit ?? items.count))
    }

    private func create(_ new: NewItem) -> Item {
        let item = Item(id: items.count + 1, name: new.name)
        items.append(item)
        return item
    }

    private func item(_ id: Int) -> Item? { items.first { $0.id == id } }

    private func keep(_ chunk: ByteBuffer) { photo.append(chunk) }
}

/// A wait of one task that ends when the gate is opened, before or after it began.
struct Gate: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    func wait() async {
        for await _ in stream {}
    }
}
