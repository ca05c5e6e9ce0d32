import ExampleServer
import FlyingFox
import Foundation
import NetworkClient
import NetworkUtilities

/// Two kinds of endpoints, and the error of a status, at a server of the program's own.
@main
struct Endpoints {
    static func main() async {
        do {
            try await ExampleServer.run(addingRoutes: addRoutes, visit)
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private static func visit(_ server: URL) async throws {
        let client = NetworkClient(baseURL: server)

        let found = try await client.fetch(Search(shop: "tea & co", text: "green tea", page: 2))
        print("GET", found.httpResponse.url?.absoluteString ?? "", "->", found.item.map(\.name))

        print("PUT ->", try await client.fetch(Rename(id: 1, name: "black tea")).item.name)

        do {
            _ = try await client.fetch(Rename(id: 404, name: "coffee")).item
        } catch HTTPStatus.notFound {
            print("PUT -> there is no such item")
        }
    }

    private static func addRoutes(to server: HTTPServer) async {
        await server.appendRoute("GET /shops/*") { request in
            let name = request.query.first { $0.name == "q" }?.value ?? ""
            return json(Data(#"[{"id":1,"name":"\#(name)"}]"#.utf8))
        }
        await server.appendRoute("PUT /items/1") { request in json(try await request.bodyData) }
    }

    private static func json(_ body: Data) -> HTTPResponse {
        HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: body)
    }
}
