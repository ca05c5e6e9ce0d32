import ExampleServer
import FlyingFox
import Foundation
import NetworkClient
import NetworkUtilities

/// A feed whose server ends the connection after two events, and a sentence that comes word by word.
///
/// With `--overloaded`, the server gives up within the sentence; with `--cut`, its response ends there as if it were
/// complete. The program then fails, and says why.
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
        let client = NetworkClient(baseURL: server)
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

    private static func part(of words: [String], at index: Int) -> String {
        let arguments = CommandLine.arguments
        if index == 3, arguments.contains("--overloaded") {
            return "event: error\ndata: {\"error\": {\"type\": \"overloaded_error\"}}\n\n"
        }
        return index < words.count ? "data: {\"text\": \"\(words[index])\"}\n\n" : "data: [DONE]\n\n"
    }

    private static func addRoutes(to server: HTTPServer) async {
        await server.appendRoute("GET /feed") { request in
            let last = request.headers[HTTPHeader("Last-Event-ID")].flatMap { Int($0) } ?? 0
            guard last < 4 else { return HTTPResponse(statusCode: .noContent) }
            return .slow(2, every: .milliseconds(50), type: "text/event-stream") { index in
                "retry: 100\nid: \(last + index + 1)\ndata: event \(last + index + 1)\n\n"
            }
        }
        await server.appendRoute("POST /chat") { _ in
            let words = ["Because", "blue", "light", "is", "scattered", "more."]
            let count = CommandLine.arguments.contains("--cut") ? 3 : words.count + 1
            return .slow(count, every: .milliseconds(50), type: "text/event-stream") { part(of: words, at: $0) }
        }
    }
}
