import Foundation
import NetworkClient
import NetworkTestSupport
import Testing

/// Values in places that are known to be secret are never logged, whatever the level.
struct LoggedSecretsTests {
    private static let names = [
        "password", "access_token", "clientSecret", "X-Session-ID", "api_key", "pin", "code", "sig",
    ]

    private static func secret() -> String {
        let alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789-._~+/"
        return "S" + String((0..<Int.random(in: 8...40)).compactMap { _ in alphabet.randomElement() })
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func body(_ secret: String) -> [(type: String, text: String)] {
        let name = names.randomElement() ?? "token"
        return [
            ("application/json", #"{"a":[{"\#(name)":"\#(secret)"}],"\#(name)":["\#(secret)",{"b":"\#(secret)"}]}"#),
            ("application/json", #"{"a": {"\#(name)": "\#(secret)""#),
            (
                "application/x-www-form-urlencoded",
                "a=1&\(name)=\(escaped(secret))&user%5B\(name)%5D=\(escaped(secret))"
            ),
            ("text/plain", "see https://u:\(escaped(secret))@a.example/?\(name)=\(escaped(secret))"),
            (
                "multipart/form-data; boundary=x",
                "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n\(secret)\r\n--x--"
            ),
            (
                "application/json",
                #"{"next":"https://a.example/?\#(name)=\#(escaped(secret))","b":"{\"token\":\"\#(secret)\"}"}"#
            ),
            ("application/x-www-form-urlencoded", "next=\(escaped("https://a.example/?\(name)=\(escaped(secret))"))"),
            ("application/octet-stream", secret),
        ]
    }

    @Test(.spec(149, 151)) func secretsNeverAppearInTheLog() async throws {
        for _ in 0..<20 {
            let secret = Self.secret()
            let escaped = Self.escaped(secret)
            let url = "https://u:\(escaped)@a.example/?id_token=\(escaped)#\(escaped)"
            for (type, text) in Self.body(secret) {
                let headers = [
                    "Content-Type": type, "aUTHORIZATION": "Bearer \(secret)", "Proxy-Authorization": "Basic \(secret)",
                    "cookie": "a=\(secret)", "X-Api-Key": secret, "Referer": "https://a.example/?code=\(secret)",
                    "X-Note": "Bearer \(secret)",
                ]
                let exchange = LoggedExchange(
                    method: "POST",
                    url: url,
                    requestHeaders: headers,
                    requestBody: Data(text.utf8),
                    status: [200, 401].randomElement() ?? 200,
                    responseHeaders: ["Content-Type": type, "set-cookie": "a=\(secret); Path=/"],
                    responseBody: Data(text.utf8)
                )
                try await expectNo(secret, in: exchange)
            }
        }
    }

    private func expectNo(_ secret: String, in exchange: LoggedExchange) async throws {
        for level in [NetworkLoggingLevel.status, .headers, .body, .full] {
            let records = try await exchange.records(requestLevel: level, responseLevel: level)
            for record in records {
                #expect(!record.message.contains(secret))
                #expect(!record.message.contains(Self.escaped(secret)))
            }
        }
        let command = try exchange.request().curlCommand()
        #expect(!command.contains(secret))
        #expect(!command.contains(Self.escaped(secret)))
    }
}
