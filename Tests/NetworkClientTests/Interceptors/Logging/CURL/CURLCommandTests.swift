import Foundation
import NetworkTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import NetworkClient

struct CURLCommandTests {
    @Test(.spec(156)) func quotesEveryWordAndMasksSecrets() throws {
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

    @Test func masksAFormAndTextAndLeavesOutWhatItCannotMask() throws {
        func command(_ type: String?, _ body: String, _ redaction: LogRedaction = .sensitive) throws -> String {
            let headers = type.map { ["Content-Type": $0] } ?? [:]
            let exchange = LoggedExchange(method: "POST", requestHeaders: headers, requestBody: Data(body.utf8))
            return try exchange.request().curlCommand(redaction: redaction)
        }
        #expect(try command("application/x-www-form-urlencoded", "a=%20&pin=1").hasSuffix("--data-raw 'a=%20&pin=***'"))
        #expect(try command("text/plain", "password=s3cr3t").hasSuffix("--data-raw 'password=***'"))
        #expect(try command("application/json", #"{"password":"s3cr3t"#).hasSuffix(#"--data-raw '{"password":"***'"#))
        for type in ["multipart/form-data", "image/png", "text/plain; charset=utf-16", nil] {
            let left = try command(type, "s3cr3t")
            #expect(left.hasPrefix("# The body (6 bytes) is left out"))
            #expect(left.hasSuffix("--data-binary @-"))
            #expect(!left.contains("s3cr3t"))
        }
        #expect(try !command("text/plain", "s3cr3t", .allowing(["a"])).contains("s3cr3t"))
        #expect(try command("multipart/form-data", "s3cr3t", .showingEverything).contains("s3cr3t"))
    }

    @Test func masksTheUserInAURLWithoutAScheme() throws {
        let command = try LoggedExchange(url: "//ada:s3cr3t@a.example/x").request().curlCommand()
        #expect(command.contains("--url '//***@a.example/x'"))
    }

    @Test func saysThatABodyIsAStream() throws {
        var request = try LoggedExchange(method: "PUT").request()
        request.httpBodyStream = InputStream(data: Data("s3cr3t".utf8))
        let command = request.curlCommand(redaction: .showingEverything)
        #expect(command.hasPrefix("# The body is a stream and cannot be shown"))
        #expect(command.hasSuffix("--data-binary @-"))
    }

    @Test func asksForAHeadWithoutWaitingForABody() throws {
        let command = try LoggedExchange(method: "HEAD", url: "https://a.example/").request().curlCommand()
        #expect(command == "curl --globoff \\\n  --head \\\n  --url 'https://a.example/'")
    }

    @Test func leavesTheLengthOfTheBodyToCURL() throws {
        let exchange = LoggedExchange(requestHeaders: ["content-length": "99", "Transfer Coding": "x"])
        #expect(try !exchange.request().curlCommand().contains("99"))
        #expect(try !exchange.request().curlCommand().contains("Transfer Coding"))
    }
}
