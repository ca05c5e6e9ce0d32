import ExampleServer
import FlyingFox
import Foundation
import NetworkClient
import NetworkUtilities

/// A response that is printed line by line, each line as soon as it arrives.
@main
struct Streaming {
    private static let client = NetworkClient()

    /// Prints the lines of a response; leaving the loop early would close the connection.
    private static func printLines(of url: URL) async throws {
        let response = try await client.stream(.get(url: url))
        print("\(response.statusCode), the body is still being sent:")
        for try await line in response.item.lines {
            print(line)
            fflush(nil)
        }
    }

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            if arguments.isEmpty {
                try await ExampleServer.run(addingRoutes: addRoutes, visit)
            } else if arguments.count == 1, let url = URL(string: arguments[1]) {
                try await printLines(of: url)
            } else {
                print("Usage: Streaming [URL]")
                exit(EX_USAGE)
            }
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private static func visit(_ server: URL) async throws {
        try await printLines(of: server.appendingPathComponent("lines"))
    }

    private static func addRoutes(to server: HTTPServer) async {
        await server.appendRoute("GET /lines") { _ in .slowLines }
    }
}
