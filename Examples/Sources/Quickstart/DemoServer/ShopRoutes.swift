import ExampleServer
import FlyingFox
import Foundation

/// The routes of the tea shop.
struct ShopRoutes {
    private let orders = Tally()
    private let pots = Tally()

    func add(to server: HTTPServer) async {
        await addItems(to: server)
        await addForms(to: server)
        await addPot(to: server)
    }

    private func addItems(to server: HTTPServer) async {
        await server.appendRoute("GET /items") { request in
            let matching = Self.items.filter { $0.taste == request.query["taste"] ?? $0.taste }
            let limit = request.query["limit"].flatMap(Int.init) ?? matching.count
            return try await .reply(Array(matching.prefix(max(0, limit))), to: request)
        }
        await server.appendRoute("GET /items/:id") { (request: HTTPRequest, id: Int) in
            guard let item = Self.items.first(where: { $0.id == id }) else {
                return try .json(Problem(code: "item_not_found", id: id), status: .notFound)
            }
            return try await .reply(item, to: request)
        }
        await server.appendRoute("POST /orders") { [orders] request in
            let order = try JSONDecoder().decode(Order.self, from: await request.bodyData)
            guard let item = Self.items.first(where: { $0.id == order.itemID }) else {
                return try .json(Problem(code: "item_not_found", id: order.itemID), status: .notFound)
            }
            let receipt = Receipt(number: await orders.add(), item: item.name, grams: order.grams)
            return try await .reply(receipt, to: request, status: .created)
        }
    }

    private func addForms(to server: HTTPServer) async {
        await server.appendRoute("POST /guestbook") { request in
            let form = FormBody(try await request.bodyData)
            guard let name = form["name"], let message = form["message"], let cups = form["cups"].flatMap(Int.init)
            else {
                return HTTPResponse(statusCode: .badRequest)
            }
            return try await .reply(GuestbookEntry(name: name, message: message, cups: cups), to: request)
        }
        await server.appendRoute("POST /recipes") { request in
            let body = MultipartBody(try await request.bodyData, contentType: request.headers[.contentType] ?? "")
            guard let title = body?["title"], let file = body?["file"], let filename = file.parameter("filename") else {
                return HTTPResponse(statusCode: .badRequest)
            }
            let type = file.field("Content-Type") ?? ""
            let recipe = Recipe(title: title.text, file: filename, type: type, text: file.text)
            return try await .reply(recipe, to: request, status: .created)
        }
    }

    /// Adds the kitchen, which is busy for every second request.
    private func addPot(to server: HTTPServer) async {
        await server.appendRoute("GET /pot") { [pots] request in
            guard await pots.add().isMultiple(of: 2) else { return HTTPResponse(statusCode: .serviceUnavailable) }
            return try await .reply(Pot(size: 2), to: request)
        }
    }

    private static let items = [
        Item(id: 1, name: "Sencha", taste: "fresh & green"),
        Item(id: 2, name: "Gyokuro", taste: "fresh & green"),
        Item(id: 3, name: "Lapsang Souchong", taste: "smoky"),
        Item(id: 4, name: "Longjing", taste: "fresh & green"),
    ]
}

/// A tea shop on the loopback.
enum DemoServer {
    static func run(_ body: (URL) async throws -> Void) async throws {
        try await ExampleServer.run(addingRoutes: { await ShopRoutes().add(to: $0) }, body)
    }
}

extension HTTPResponse {
    /// Returns a JSON response that closes the connection: the server writes head and body separately, and on a reused
    /// connection the body would wait about 40 ms for the acknowledgement of the head.
    static func json(_ value: some Encodable, status: HTTPStatusCode = .ok) throws -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return HTTPResponse(
            statusCode: status,
            headers: [.contentType: "application/json", .connection: "close"],
            body: try encoder.encode(value)
        )
    }

    /// Returns a JSON response whose header describes the request.
    static func reply(
        _ value: some Encodable & Sendable,
        to request: HTTPRequest,
        status: HTTPStatusCode = .ok
    ) async throws -> HTTPResponse {
        var response = try json(value, status: status)
        let seen = try JSONEncoder().encode(await SeenRequest(request))
        response.headers[HTTPHeader(SeenRequest.field)] = seen.base64EncodedString()
        return response
    }
}

extension SeenRequest {
    /// Creates a description of a request whose body is text, as in all requests of the tour.
    init(_ request: HTTPRequest) async throws {
        method = request.method.rawValue
        target = request.target.rawValue
        headers = request.headers.keys.reduce(into: [:]) { $0[$1.rawValue] = request.headers[$1] }
        body = String(decoding: try await request.bodyData, as: UTF8.self)
    }
}

/// A count that handlers of requests share.
actor Tally {
    private var count = 0

    /// Adds one, and returns the new count.
    func add() -> Int {
        count += 1
        return count
    }
}
