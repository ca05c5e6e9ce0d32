import Foundation
import NetworkClient

/// Downloads, uploads and streamed responses, with progress in the terminal; see `--help`.
@main
struct Transfers {
    private static let usage = """
        Usage: Transfers                     a download that is interrupted and resumed, an upload, and a stream,
                                             all with the program's own server
               Transfers download URL FILE   a download from your server
               Transfers upload FILE URL     a file as the body of a PUT
               Transfers stream URL          a response, line by line as it arrives
        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            guard try await run(arguments) else {
                print(usage)
                exit(["-h", "--help"].contains(arguments.first) ? EXIT_SUCCESS : EX_USAGE)
            }
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    /// Runs the chosen transfer; returns false for invalid arguments.
    private static func run(_ arguments: [String]) async throws -> Bool {
        let examples = TransferExamples(client: NetworkClient())
        switch arguments.count {
        case 0:
            try await DemoServer.run { server in try await Tour(server: server, examples: examples).run() }
        case 3 where arguments[0] == "download":
            guard let url = URL(string: arguments[1]) else { return false }
            try await examples.download(url, to: URL(fileURLWithPath: arguments[2]))
        case 3 where arguments[0] == "upload":
            guard let url = URL(string: arguments[2]) else { return false }
            try await examples.upload(URL(fileURLWithPath: arguments[1]), to: url)
        case 2 where arguments[0] == "stream":
            guard let url = URL(string: arguments[1]) else { return false }
            try await examples.stream(url)
        default:
            return false
        }
        return true
    }
}
