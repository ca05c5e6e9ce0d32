import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Sixty secrets in each place that a message has, against each output.
struct SecretsTests {
    private static let core = "Zq7Xj2Wm9Kd4Rt6Ny8Lp3Vb5"

    private struct Secret {
        let name: String
        let value: String
    }

    /// Secrets by their names.
    private static let named = [
        "token", "access_token", "refreshToken", "id_token", "api_key", "X-Auth-Key", "AccountKey", "secret",
        "client_secret", "password", "newPassword", "passwd", "pwd", "user_pass", "smtpPass", "signature", "sig",
        "code", "device_code", "mfaCode", "code_verifier", "session", "PHPSESSID", "sessionid", "SAMLResponse", "otp",
        "pin", "cvc", "iban", "card_number", "mnemonic", "connectionString", "magicLink", "ticket", "csrf_token",
        "appid",
    ].map { Secret(name: $0, value: core) }

    /// Secrets that tell by themselves, under a harmless name.
    private static let telling = [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.\(core)", "eyJhbGciOiJkaXIifQ..\(core).a.b", "sk_live_\(core)",
        "rk_test_\(core)", "whsec_\(core)", "sk-proj-\(core)", "sk-ant-api03-\(core)", "ghp_\(core)", "ghs_\(core)",
        "github_pat_11A_\(core)", "glpat-\(core)", "xoxb-123-\(core)", "xapp-1-\(core)", "AIza\(core)", "ya29.\(core)",
        "SG.\(core).abc", "npm_\(core)", "pypi-\(core)", "hf_\(core)", "dop_v1_\(core)", "shpat_\(core)",
        "AGE-SECRET-KEY-1\(core)", "xkeysib-\(core)", "AKIA\(core.uppercased())",
    ].map { Secret(name: "note", value: $0) }

    /// A message with the secret in one place.
    private struct Message {
        var path = "/items"
        var field = "a"
        var fieldName = "X-A"
        var type = "text/plain"
        var body = ""
    }

    private static let places: [@Sendable (Secret) -> Message] = [
        { Message(field: $0.value, fieldName: $0.name) },
        { Message(path: "/items?a=1&\($0.name)=\($0.value)") },
        { Message(field: "<https://h/?a=1&\($0.name)=\($0.value)>; rel=next") },
        { Message(path: "/items?next=https%3A%2F%2Fh%2F%3F\($0.name)%3D\($0.value)&b=2") },
        { Message(type: "application/x-www-form-urlencoded", body: "a=b&\($0.name)=\($0.value)&c=d") },
        { Message(type: "application/json", body: #"{"a": 1, "\#($0.name)": "\#($0.value)", "b": 2}"#) },
        { Message(type: "application/json", body: #"[1, [{"x": {"\#($0.name)": ["\#($0.value)"]}}]]"#) },
        { Message(type: "application/json", body: #"{"a": "{\"\#($0.name)\": \"\#($0.value)\"}"}"#) },
        { Message(type: "application/json", body: #"[{"name": "\#($0.name)", "value": "\#($0.value)"}]"#) },
        { Message(type: "application/json", body: #"{"a": "https://h/?\#($0.name)=\#($0.value)"}"#) },
        { Message(type: "application/x-ndjson", body: "{\"a\": 1}\n{\"\($0.name)\": \"\($0.value)\"}\n") },
        { Message(type: "text/event-stream", body: "data: {\"\($0.name)\": \"\($0.value)\"}\n\n") },
        { Message(body: "ws://ada:\($0.value)@h/ and Bearer \($0.value)") },
        { Message(type: "application/json", body: #"{"a": x, "\#($0.name)": "\#($0.value)"}"#) },
    ]

    private static let textPlaces: [@Sendable (Secret) -> Message] = [
        { Message(path: "/items/\($0.value)/x") },
        { Message(field: "a \($0.value)") },
        { Message(body: "The value was \($0.value).") },
        { Message(body: "a,b\n1,\($0.value)\n") },
        { Message(type: "application/xml", body: "<a b=\"\($0.value)\">\($0.value)</a>") },
        { Message(body: "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\($0.value)\r\n--B--") },
        { Message(body: "[\($0.value), “\($0.value)”]") },
        { Message(body: #"{"a": "b\n\#($0.value)"#) },
    ]

    private static func outputs(of message: Message) async throws -> [String] {
        let (stream, reports) = (RecordingStream(), Locked<[CallReport]>([]))
        let head = [message.fieldName: message.field, "Content-Type": message.type]
        let transport = ClosureTransport { _ in (Data(message.body.utf8), HTTPURLResponse.made(422, headers: head)) }
        let client = NetworkClient(
            transport: transport,
            logging: .default(logLevel: .full, logStream: stream),
            configuration: .init(observer: { report in reports.withLock { $0.append(report) } })
        )
        var request = URLRequest(url: url("https://api.example.com\(message.path)"))
        request.httpMethod = "POST"
        request.httpBody = Data(message.body.utf8)
        for (name, value) in head { request.setValue(value, forHTTPHeaderField: name) }
        var outputs = [request.curlCommand(), ""]
        let sent = request
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: sent) }
        dump(error, to: &outputs[1])
        outputs += ["\(String(describing: error))", error?.localizedDescription ?? "", stream.text]
        for report in reports.withLock({ $0 }) {
            var dumped = ""
            dump(report, to: &dumped)
            outputs += [dumped, "\(report)", "\(report.journey)"]
        }
        expectAll((stream.records.count, outputs.count), (2, 8))
        return outputs
    }

    @Test(.spec(219), arguments: 0..<6)
    func noOutputShowsASecret(part: Int) async throws {
        var cases: [(Secret, [@Sendable (Secret) -> Message])] = []
        cases += Self.named.map { ($0, Self.places) } + Self.telling.map { ($0, Self.places + Self.textPlaces) }
        for (index, (secret, places)) in cases.enumerated() where index % 6 == part {
            for (place, message) in places.enumerated() {
                let outputs = try await Self.outputs(of: message(secret))
                for (index, text) in outputs.enumerated() where text.uppercased().contains(Self.core.uppercased()) {
                    Issue.record("\(secret.name) \(secret.value), place \(place), output \(index): \(text)")
                }
                let signs = ["***", #"\052\052\052"#, "is left out, since secrets can't be found in it"]
                #expect(signs.contains { outputs[0].contains($0) })
                #expect(outputs[4].contains("***") || outputs[4].contains("more bytes, not valid JSON"))
            }
        }
    }
}
