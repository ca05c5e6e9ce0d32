import Foundation

/// A tour of NetworkClient; see `--help`.
@main
struct Quickstart {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            guard !options.wantsHelp else { return print(Options.usage) }
            try await run(options)
        } catch let error as Options.UsageError {
            fail("\(error)\n\n\(Options.usage)", EX_USAGE)
        } catch {
            fail("\(error)", EXIT_FAILURE)
        }
    }

    private static func run(_ options: Options) async throws {
        if let url = options.baseURL {
            try await visit(url, .foreign)
        } else {
            try await DemoServer.run { url in try await visit(url, .demo) }
        }
    }

    private static func visit(_ server: URL, _ host: Tour.Host) async throws {
        let console = Console()
        let whose = host == .demo ? "started for this tour" : "yours"
        console.heading("Quickstart: from a request to a typed response", "server \(server.absoluteString), \(whose)")
        let begun = Date.now
        let summary = try await Tour(server: server, host: host, console: console).run()
        let seconds = String(format: "%.1f", Date.now.timeIntervalSince(begun))
        console.closing(
            "\(summary.asExpected) of \(summary.steps) steps went as expected, in \(seconds) s.",
            "Read on in README.md; the code of the tour is in Examples/Sources/Quickstart."
        )
    }

    private static func fail(_ sentence: String, _ status: Int32) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("Quickstart: \(sentence)\n".utf8))
        exit(status)
    }
}
