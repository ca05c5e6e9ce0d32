import NetworkTestSupport
import Foundation
import Testing

@testable import NetworkClient

struct CURLCommandTests {
    @Test(.spec(156)) func aCURLCommandQuotesEveryWordAndMasksSecrets() throws {
        let exchange = LoggedExchange(
            method: "POST",
            url: "https://a.example/items?page=1&token=s3cr3t",
            requestHeaders: ["Content-Type": "application/json", "Authorization": "Bearer s3cr3t", "X-Empty": ""],
            requestBody: Data(#"{"name":"O'Hara","password":"s3cr3t"}"#.utf8)
        )
        #expect(
            try exchange.request().curlCommand() == #"""
                curl --globoff \
                  --request 'POST' \
                  --url 'https://a.example/items?page=1&token=***' \
                  --header 'Authorization: ***' \
                  --header 'Content-Type: application/json' \
                  --header 'X-Empty;' \
                  --data-raw '{"name":"O'\''Hara","password":"***"}'
                """#
        )
    }

    @Test(.spec(258)) func aCURLCommandHasThePlainBodyOfACompressedRequest() throws {
        var headers = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
        let body = Data(base64Encoded: CompressedBodies.json) ?? Data()
        let compressed = LoggedExchange(method: "POST", requestHeaders: headers, requestBody: body)
        headers["Content-Encoding"] = nil
        let text = Data(CompressedBodies.text.utf8)
        let plain = LoggedExchange(method: "POST", requestHeaders: headers, requestBody: text)
        for redaction in [LogRedaction.sensitive, .showingEverything] {
            let expected = try plain.request().curlCommand(redaction: redaction)
            expect(try compressed.request().curlCommand(redaction: redaction), expected)
        }
        var request = try compressed.request()
        request.httpBodyStream = InputStream(data: body)
        let command = request.curlCommand()
        expect(command, contains: "pass its bytes, in the coding that the command names, on standard input.")
        expect(command, contains: "--header 'Content-Encoding: gzip'")
    }

    @Test(.spec(121)) func aCURLCommandHasNoMarkOfSharing() {
        let request = URLRequest(url: url("https://h/a"))
        expect(request.withInstanceCaching(customHash: "hash").curlCommand(), request.curlCommand())
    }

    @Test func aCURLCommandMasksFormsAndTextAndLeavesOutOtherBodies() throws {
        func command(_ type: String?, _ body: String, _ redaction: LogRedaction = .sensitive) throws -> String {
            let headers = type.map { ["Content-Type": $0] } ?? [:]
            let exchange = LoggedExchange(method: "POST", requestHeaders: headers, requestBody: Data(body.utf8))
            return try exchange.request().curlCommand(redaction: redaction)
        }
        #expect(try command("application/x-www-form-urlencoded", "a=%20&pin=1").hasSuffix("--data-raw 'a=%20&pin=***'"))
        #expect(try command("text/plain", "Bearer s3cr3t").hasSuffix("--data-raw 'Bearer ***'"))
        for text in [#"{"password":"s3cr3t"#, #"{a:1,"token":"s3cr3t"}"#] {
            let left = try command("application/json", text)
            #expect(left.hasPrefix("# The body (") && !left.contains("s3cr3t"))
        }
        for type in ["multipart/form-data", "image/png", "text/plain; charset=utf-16", nil] {
            let left = try command(type, "s3cr3t")
            #expect(left.hasPrefix("# The body (6 bytes) is left out"))
            #expect(left.hasSuffix("--data-binary @-"))
            expect(left, lacks: "s3cr3t")
        }
        expect(try command("text/plain", "s3cr3t", .allowing(["a"])), lacks: "s3cr3t")
        expect(try command("multipart/form-data", "s3cr3t", .showingEverything), contains: "s3cr3t")
    }

    @Test func aCURLCommandMasksTheUserInAURLWithoutAScheme() throws {
        let command = try LoggedExchange(url: "//ada:s3cr3t@a.example/x").request().curlCommand()
        #expect(command.contains("--url '//***@a.example/x'"))
    }

    @Test func aCURLCommandSaysThatABodyIsAStream() throws {
        var request = try LoggedExchange(method: "PUT").request()
        request.httpBodyStream = InputStream(data: Data("s3cr3t".utf8))
        let command = request.curlCommand(redaction: .showingEverything)
        #expect(command.hasPrefix("# The body is a stream and cannot be shown"))
        #expect(command.hasSuffix("--data-binary @-"))
    }

    @Test func aCURLCommandRequestsAHeadWithoutWaitingForABody() throws {
        let command = try LoggedExchange(method: "HEAD", url: "https://a.example/").request().curlCommand()
        expect(command, "curl --globoff \\\n  --head \\\n  --url 'https://a.example/'")
    }

    @Test func aCURLCommandLeavesTheLengthOfTheBodyToCURL() throws {
        let exchange = LoggedExchange(requestHeaders: ["content-length": "99", "Transfer Coding": "x"])
        expect(try exchange.request().curlCommand(), lacks: "99")
        expect(try exchange.request().curlCommand(), lacks: "Transfer Coding")
    }
}

#if os(Linux) || os(macOS)
/// Commands run by a real shell, in which a function instead of cURL prints its arguments and its input.
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
    func aShellPassesTextToCURLUnchanged(text: String) throws {
        let value = #"it's $(x) `y` \ "z""#
        let url = "https://u:p@a.example/it's?q=$(x)&a='b'&c=(1)*!"
        let exchange = LoggedExchange(
            method: "POST",
            url: url,
            requestHeaders: ["Content-Type": "text/plain", "X-Text": value],
            requestBody: Data(text.utf8)
        )
        let run = try run(exchange)
        expect(
            run.arguments,
            [
                "--globoff", "--request", "POST", "--url", url, "--header", "Content-Type: text/plain", "--header",
                "X-Text: \(value)", "--data-raw", text,
            ]
        )
    }

    @Test(.spec(156), arguments: [Data(0...255), Data([0x2D, 0x6E, 0]), Data([0x25, 0x73, 0])])
    func aShellPassesBytesToCURLUnchanged(bytes: Data) throws {
        let run = try run(LoggedExchange(method: "PUT", requestBody: bytes))
        expect(run.input, bytes)
        expect(run.arguments.suffix(4), ["--header", "Content-Type:", "--data-binary", "@-"])
    }

    @Test func aShellPassesTextThatIsTooLongForAnArgument() throws {
        let text = String(repeating: "it's 100% é\\n ", count: 20_000)
        let run = try run(LoggedExchange(method: "POST", requestBody: Data(text.utf8)))
        expect(run.input, Data(text.utf8))
    }

    @Test func aCommandWithoutItsBodyIsStillACommand() throws {
        let exchange = LoggedExchange(method: "POST", requestBody: Data([0, 1]))
        let run = try run(exchange.request().curlCommand())
        expect(run.arguments.suffix(2), ["--data-binary", "@-"])
        expect(run.input, Data())
    }
}
#endif

/// A JSON body as Python's `gzip` compresses it.
enum CompressedBodies {
    static let text = #"{"name":"O'Hara","password":"s3cr3t"}"#
    static let json = "H4sIAAAAAAACA6tWykvMTVWyUvJX90gsSlTSUSpILC4uzy9KAYoVGycXGZco1QIAfVDckiUAAAA="
}
