import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// Secrets planted in JSON, forms, URLs and text, nested in each other, never appear in the log, an export or the text
/// of an error.
struct PlantedSecretsTests {
    /// The media types of bodies.
    private enum Kind: String {
        case json = "application/json"
        case form = "application/x-www-form-urlencoded"
        case text = "text/plain"
    }

    private struct Plant {
        var kind: Kind
        var text: String
        /// The steps of the construction, for the message of a failure.
        var story: [String]
    }

    /// A text that no output may contain, wherever a body was cut.
    private static let mark = "ZqXj"

    private static let fields = [
        "password", "accessToken", "client_secret", "api-key", "code_verifier", "SAMLResponse", "hmac", "auth_key",
        "authCode", "otpCode", "pinCode", "totp", "recoveryCode", "encryptionKey", "masterKey",
        "pin", "ticket", "code", "otp",
    ]

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func quoted(_ text: String, _ random: inout SeededGenerator) -> String {
        let text = String(decoding: JSONString.quoted(text), as: UTF8.self)
        return Bool.random(using: &random) ? text.replacingOccurrences(of: "/", with: "\\/") : text
    }

    /// A secret in one notation.
    private static func plant(_ random: inout SeededGenerator) -> Plant {
        let secret = mark + String(UInt64.random(in: 0...(.max), using: &random), radix: 36)
        let field = fields.randomElement(using: &random) ?? ""
        let plants: [(Kind, String)] = [
            (.json, #"{"a":[1,{"\#(field)":"x, \"\#(secret)"}],"b":null}"#),
            (.json, #"{"\#(field)": ["a", {"b": "\#(secret)"}], "c": 1}"#),
            (.json, #"{"\#(field)" : {"b" : {"c}" : "\#(secret)"}}, "d" : "e"}"#),
            (.json, #"[{"url": "https://u:\#(secret)@h/p?a=1"}]"#),
            (.form, "a=1&\(field)=\(secret)&b=2"),
            (.form, "a=1&user%5B\(field)%5D=x+\(secret)"),
            (.text, "see https://u:\(secret)@h/x;\(field)=\(secret)/y?a=1&\(field)=\(secret)#z"),
            (.text, "sent Bearer \(secret)"),
            (.text, "an eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.\(secret) as a token"),
            (.text, "data: {\"\(field)\": \"\(secret)\"}"),
        ]
        let index = Int.random(in: plants.indices, using: &random)
        return Plant(kind: plants[index].0, text: plants[index].1, story: ["\(index)"])
    }

    /// The secret nested in another notation.
    private static func wrap(_ plant: Plant, _ random: inout SeededGenerator) -> Plant {
        let text = plant.text
        let wraps: [(Kind, String)] = [
            (.json, "{\"a\":\(quoted(text, &random)),\"b\":1}"),
            (.json, "[\(quoted(text, &random))]"),
            (.form, "a=1&payload=\(escaped(text))&b=2"),
            (.text, "failed:\n\(text)\nend"),
            (.text, "at https://h/p?a=1&next=\(escaped(text))&b=2"),
        ]
        let index = Int.random(in: wraps.indices, using: &random)
        return Plant(kind: wraps[index].0, text: wraps[index].1, story: plant.story + ["in \(index)"])
    }

    private func outputs(of plant: Plant) throws -> [String: String] {
        let redaction = LogRedaction.sensitive
        let body = Data(plant.text.utf8)
        let types = [plant.kind, .text].map(\.rawValue) + (plant.text.hasPrefix("{") ? [Kind.form.rawValue] : [])
        var outputs = [
            "text": redaction.maskedText(plant.text), "field": redaction.shown(plant.text, of: "X-Note", masks: []),
            "query": redaction.maskedQuery("q=\(Self.escaped(plant.text))"),
            "error": redaction.text(of: TransportError(.other, detail: plant.text)),
        ]
        for type in types {
            let exchange = LoggedExchange(
                method: "POST",
                url: "https://h/?q=\(Self.escaped(plant.text))",
                requestHeaders: ["Content-Type": type, "X-Note": plant.text.replacingOccurrences(of: "\n", with: " ")],
                requestBody: body
            )
            outputs["command for \(type)"] = try exchange.request().curlCommand()
            let formatter = NetworkLogFormatter(bodyLimit: 1 << 16)
            outputs["record for \(type)"] = formatter.text(of: try exchange.request(), level: .full) ?? ""
        }
        return outputs
    }

    @Test(.spec(94, 149, 151, 156), .longComputation, arguments: [UInt64](0..<8))
    func plantedSecretsNeverAppearInAnyOutput(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            var plant = Self.plant(&random)
            for _ in 0..<Int.random(in: 0...3, using: &random) { plant = Self.wrap(plant, &random) }
            if Bool.random(using: &random) {
                // Cut it like a body that is longer than the log shows.
                let length = Int.random(in: 0...plant.text.utf8.count, using: &random)
                plant.text = String(decoding: plant.text.utf8.prefix(length), as: UTF8.self)
                plant.story.append("cut")
            }
            for (place, output) in try outputs(of: plant) where output.contains(Self.mark) {
                Issue.record("\(plant.story) \(place): \(plant.text) → \(output)")
            }
        }
    }
}
