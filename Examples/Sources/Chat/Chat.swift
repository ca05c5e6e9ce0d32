import ExampleServer
import FlyingFox
import Foundation
import NetworkClient
import Terminal

/// A chat in the terminal: sends each line of the standard input to a room, and prints what is said there.
///
/// The argument is the URL of a room, such as `ws://localhost:8080/room`; without it, the program starts a server
/// with a room, in which Ada says hello. The socket is opened again when its connection is lost. At the end of the
/// input, the program waits until its lines have come back, and ends.
@main
struct Chat {
    /// What someone says, as a text of JSON.
    struct Remark: Codable {
        let name: String
        let text: String
    }

    private static let name = ProcessInfo.processInfo.environment["USER"] ?? "you"

    static func main() async {
        do {
            if let place = CommandLine.arguments.dropFirst().first {
                try await talk(in: place)
            } else {
                try await ExampleServer.run(addingRoutes: addRoom, visit)
            }
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private static func addRoom(to server: HTTPServer) async {
        await server.appendRoute("GET /room", to: .webSocket(Room()))
    }

    private static func visit(_ server: URL) async throws {
        try await talk(in: server.appendingPathComponent("room").absoluteString)
    }

    private static func talk(in place: String) async throws {
        let client = NetworkClient(logging: .off)
        guard let url = URL(string: place) else { throw URLError(.badURL) }
        // A line that was sent is heard when it comes back, or lost with a connection.
        let (settled, settle) = AsyncStream<Void>.makeStream()
        let room = client.webSocket(
            .get(url: url),
            reconnecting: .standard,
            states: { state in
                switch state {
                case .waiting: print("(the connection has ended)")
                case .lost(let count): for _ in 0..<count { settle.yield() }
                default: break
                }
            }
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { settle.finish() }
                for try await remark in room.values(of: Remark.self) {
                    print("\(remark.name): \(remark.text)")
                    if remark.name == name { settle.yield() }
                }
            }
            var count = 0
            for await line in StandardInput.lines {
                try await room.send(json: Remark(name: name, text: line))
                count += 1
            }
            for await _ in settled.prefix(count) {}
            try await room.close()
            try await tasks.waitForAll()
        }
    }
}
