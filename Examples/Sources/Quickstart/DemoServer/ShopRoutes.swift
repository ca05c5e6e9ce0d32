import FlyingFox
import Foundation

/// What the shop answers to which request.
struct ShopRoutes {
    private let kitchen = Kitchen()
    private let orders = Tally()

    func add(to server: HTTPServer) async {
        await addItems(to: server)
        await addForms(to: server)
        await addPots(to: server)
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

    private func addPots(to server: HTTPServer) async {
        await server.appendRoute("GET /pots/:pot") { [kitchen] (request: HTTPRequest, pot: String) in
            let orders = await kitchen.orders(for: pot)
            let number = await orders.requests.add()
            try await orders.release.reaches(1)
            return try await .reply(Pot(number: number), to: request)
        }
        // How many requests there were for a pot; answers once there is one.
        await server.appendRoute("GET /pots/:pot/requests") { [kitchen] (pot: String) in
            let requests = await kitchen.orders(for: pot).requests
            try await requests.reaches(1)
            return try .json(await requests.count)
        }
        await server.appendRoute("POST /pots/:pot/release") { [kitchen] (pot: String) in
            await kitchen.orders(for: pot).release.add()
            return HTTPResponse(statusCode: .noContent)
        }
    }

    private static let items = [
        Item(id: 1, name: "Sencha", taste: "fresh & green"),
        Item(id: 2, name: "Gyokuro", taste: "fresh & green"),
        Item(id: 3, name: "Lapsang Souchong", taste: "smoky"),
        Item(id: 4, name: "Longjing", taste: "fresh & green"),
    ]
}
