import ExampleServer
import FlyingFox
import FlyingSocks
import Foundation
import NetworkClient
import NetworkUtilities

/// A feed whose server ends the connection after two events, and a sentence that comes word by word.
@main
struct Events {
    private struct Word: Decodable {
        let text: String
    }

    static func main() async {
        do {
            try await ExampleServer.run(addingRoutes: addRoutes, visit)
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private static func visit(_ server: URL) async throws {
        let client = NetworkClient(configuration: .init(baseURL: server))
        try await printFeed(client)
        try await printSentence(client)
    }

    /// Prints the events of a feed; the stream connects again by itself, after the last event.
    private static func printFeed(_ client: NetworkClient) async throws {
        let feed = try client.events(.get(path: "feed")) { state in
            if case .waiting = state { print("(the connection has ended)") }
        }
        for try await event in feed { print("\(event.id): \(event.data)") }
    }

    private static func printSentence(_ client: NetworkClient) async throws {
        let words = try client.events(.post(path: "chat").bodyJson(of: ["ask": "Why is the sky blue?"]))
        for try await word in words.values(of: Word.self, until: "[DONE]") {
            print(word.text, terminator: " ")
            fflush(nil)
        }
        print()
    }

    private static func addRoutes(to server: HTTPServer) async {
        await server.appendRoute("GET /feed") { request in
            let last = request.headers[HTTPHeader("Last-Event-ID")].flatMap { Int($0) } ?? 0
            guard last < 4 else { return HTTPResponse(statusCode: .noContent) }
            return .events((last + 1...last + 2).map { "retry: 100\nid: \($0)\ndata: event \($0)\n\n" })
        }
        await server.appendRoute("POST /chat") { _ in
            let words = ["Because", "blue", "light", "is", "scattered", "more."]
            return .events(words.map { "data: {\"text\": \"\($0)\"}\n\n" } + ["data: [DONE]\n\n"])
        }
    }
}

extension HTTPResponse {
    /// A response of events, 50 ms apart.
    fileprivate static func events(_ events: [String]) -> HTTPResponse {
        HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: "text/event-stream"],
            body: HTTPBodySequence(from: SlowEvents(events: events))
        )
    }
}

private struct SlowEvents: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    let events: [String]
    private var index = 0

    init(events: [String]) {
        self.events = events
    }

    func makeAsyncIterator() -> SlowEvents { self }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
        guard index < events.count else { return nil }
        try await Task.sleep(for: .milliseconds(50))
        index += 1
        return Data(events[index - 1].utf8)
    }
}
