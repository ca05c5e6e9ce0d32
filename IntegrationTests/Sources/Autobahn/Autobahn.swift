import Foundation
import NetworkClient

/// The client of Autobahn|Testsuite, for `scripts/autobahn`: echoes each message of each case.
///
/// The arguments are the address of the suite's server and the name for its report; the output is the name of the
/// transport.
@main
enum Autobahn {
    static func main() async throws {
        guard CommandLine.arguments.count == 3 else { throw Usage() }
        let client = NetworkClient()
        print(client.transport.description)
        let suite = Suite(client: client, address: CommandLine.arguments[1], agent: CommandLine.arguments[2])
        guard let count = Int(try await suite.text(at: "getCaseCount")) else { throw UnexpectedMessage() }
        for number in 1...count { await suite.runCase(number) }
        try await suite.open("updateReports?agent=\(suite.agent)").close()
    }
}

struct Usage: Error, CustomStringConvertible {
    let description = "Autobahn ADDRESS AGENT, where ADDRESS is one of the suite's fuzzing server"
}

struct UnexpectedMessage: Error {}

struct Suite {
    let client: NetworkClient
    let address: String
    let agent: String

    func open(_ path: String) async throws -> WebSocket {
        // The longest messages of the suite have 16 MiB. A ping of ours would be a frame that no case expects.
        let options = WebSocketOptions { ($0.messageLimit, $0.keepAlive) = (17 << 20, nil) }
        return try await client.webSocket("\(address)/\(path)", socketOptions: options)
    }

    /// Returns the only message at a path.
    func text(at path: String) async throws -> String {
        guard case .text(let text) = try await open(path).receive() else { throw UnexpectedMessage() }
        return text
    }

    /// Runs one case: many end with an error, and the server judges what it has seen.
    func runCase(_ number: Int) async {
        do {
            let socket = try await open("runCase?case=\(number)&agent=\(agent)")
            for try await message in socket { try await socket.send(message) }
        } catch {
            FileHandle.standardError.write(Data("\(number): \(error)\n".utf8))
        }
    }
}
