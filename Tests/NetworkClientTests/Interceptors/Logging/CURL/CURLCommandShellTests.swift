#if os(Linux) || os(macOS)
import Foundation
import NetworkClient
import NetworkTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Commands as a real shell reads them, with a function in the place of cURL that tells its arguments and its input.
struct CURLCommandShellTests {
    private struct Run {
        var arguments: [String]
        var input: Data
    }

    private func run(_ command: String) throws -> Run {
        let curl = """
            curl() {
              for word; do printf '%s\\0' "$word"; done
              printf '\\001'
              for word; do case "$word" in @-) cat ;; esac; done
            }

            """
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("curl-\(UUID().uuidString).sh")
        try Data((curl + command).utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (shell, output) = (Process(), Pipe())
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [file.path]
        shell.standardInput = FileHandle.nullDevice
        shell.standardOutput = output
        try shell.run()
        let told = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0)
        let end = try #require(told.firstIndex(of: 1))
        let arguments = told[..<end].split(separator: 0, omittingEmptySubsequences: false).dropLast()
        return Run(arguments: arguments.map { String(decoding: $0, as: UTF8.self) }, input: Data(told[(end + 1)...]))
    }

    private func run(_ exchange: LoggedExchange) throws -> Run {
        try run(exchange.request().curlCommand(redaction: .showingEverything))
    }

    @Test(
        .spec(156),
        arguments: [
            "plain", "", "O'Hara", "''", "'; echo pwned; '", "$(echo pwned)", "`echo pwned`", "\\", "\\n", "a\nb",
            "\"$HOME\"",
            "@/etc/passwd", "%s%n", "é😀", "-", "!history", "a\tb", "*",
        ]
    )
    func givesTextAsItIs(text: String) throws {
        let value = #"it's $(x) `y` \ "z""#
        let url = "https://u:p@a.example/it's?q=$(x)&a='b'&c=(1)*!"
        let exchange = LoggedExchange(
            method: "POST",
            url: url,
            requestHeaders: ["Content-Type": "text/plain", "X-Text": value],
            requestBody: Data(text.utf8)
        )
        let run = try run(exchange)
        #expect(
            run.arguments == [
                "--globoff", "--request", "POST", "--url", url, "--header", "Content-Type: text/plain", "--header",
                "X-Text: \(value)", "--data-raw", text,
            ]
        )
    }

    @Test(.spec(156)) func givesBytesAsTheyAre() throws {
        let bytes = Data((0...255).map { UInt8($0) } + (0..<500).map { _ in UInt8.random(in: 0...255) })
        let run = try run(LoggedExchange(method: "PUT", requestBody: bytes))
        #expect(run.input == bytes)
        #expect(run.arguments.suffix(4) == ["--header", "Content-Type:", "--data-binary", "@-"])
    }

    @Test func givesTextThatIsTooLongForAnArgument() throws {
        let text = String(repeating: "it's 100% é\\n ", count: 20_000)
        let run = try run(LoggedExchange(method: "POST", requestBody: Data(text.utf8)))
        #expect(run.input == Data(text.utf8))
    }

    @Test func isACommandEvenIfTheBodyIsLeftOut() throws {
        let exchange = LoggedExchange(method: "POST", requestBody: Data([0, 1]))
        let run = try run(exchange.request().curlCommand())
        #expect(run.arguments.suffix(2) == ["--data-binary", "@-"])
        #expect(run.input.isEmpty)
    }
}
#endif
