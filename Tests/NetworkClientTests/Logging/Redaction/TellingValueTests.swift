import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// Values that tell by themselves that they are secret, under harmless names, in every place of every output.
struct TellingValueTests {
    private static let core = "Zq7Xj2Wm9Kd4Rt6Ny8Lp3Vb5"

    private static let values = [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.\(core)", "eyJhbGciOiJkaXIifQ..\(core).a.b", "sk_live_\(core)",
        "rk_test_\(core)", "whsec_\(core)", "sk-proj-\(core)", "sk-ant-api03-\(core)", "ghp_\(core)", "ghs_\(core)",
        "github_pat_11A_\(core)", "glpat-\(core)", "xoxb-123-\(core)", "xapp-1-\(core)", "AIza\(core)", "ya29.\(core)",
        "SG.\(core).abc", "npm_\(core)", "pypi-\(core)", "hf_\(core)", "dop_v1_\(core)", "shpat_\(core)",
        "AGE-SECRET-KEY-1\(core)", "xkeysib-\(core)", "AKIA\(core.uppercased())",
    ]

    private static let shapes: [@Sendable (String) -> String] = [
        { LogRedaction.sensitive.maskedValue(#"{"a": "\#($0)", "b": 1}"#) },
        { LogRedaction.sensitive.maskedValue(#"[1, ["x", "\#($0)"]]"#) },
        { LogRedaction.sensitive.maskedValue(#"{"a": "{\"b\": \"\#($0)\"}"}"#) },
        { LogRedaction.sensitive.maskedText("The value was \($0).") },
        { LogRedaction.sensitive.maskedText(#"{"a": "b\n\#($0)"#) },
        { LogRedaction.sensitive.maskedText("[\($0), “\($0)”]") },
        { LogRedaction.sensitive.maskedText("a,b\n1,\($0)\n") },
        { LogRedaction.sensitive.maskedText("<a b=\"\($0)\">\($0)</a>") },
        { LogRedaction.sensitive.maskedQuery("a=\($0)&b=2") },
        {
            let head = "Content-Disposition: form-data; name=\"a\""
            return LogRedaction.sensitive.maskedText("--B\r\n\(head)\r\n\r\n\($0)\r\n--B--")
        },
        { LogRedaction.sensitive.shown($0, of: "X-A", masks: []) },
        { LogRedaction.sensitive.text(of: url("https://api.example.com/v1/\($0)/items?a=\($0)")) },
        { LogRedaction.sensitive.text(of: TransportError(.invalidURL, detail: "'https://h/\($0)' has no host")) },
        { URLRequest(url: url("https://h/\($0)?a=\($0)")).curlCommand() },
    ]

    @Test(.spec(219), arguments: values)
    func aValueThatTellsByItselfIsMaskedInEveryPlace(value: String) {
        for (index, shape) in Self.shapes.enumerated() {
            let text = shape(value)
            #expect(!text.uppercased().contains(Self.core.uppercased()), "shape \(index): \(text)")
            #expect(text.contains("***"), "shape \(index): \(text)")
        }
    }

    @Test(.spec(219)) func aPrivateKeyIsMaskedToItsEnd() {
        let lines = ["-----BEGIN RSA PRIVATE KEY-----", Self.core, "\(Self.core)==", "-----END RSA PRIVATE KEY-----"]
        for text in [lines.joined(separator: "\n"), lines.dropLast(2).joined(separator: "\n")] {
            #expect(LogRedaction.sensitive.maskedText("a\n\(text)\nb").hasPrefix("a\n***"))
            let json = String(decoding: JSONString.quoted(text), as: UTF8.self)
            #expect(LogRedaction.sensitive.maskedValue("{\"a\":\(json),\"b\":1}") == #"{"a":"***","b":1}"#)
        }
        let text = lines.joined(separator: "\n")
        #expect(LogRedaction.sensitive.maskedText("a\n\(text)\nb") == "a\n***\nb")
        let certificate = text.replacingOccurrences(of: "RSA PRIVATE KEY", with: "CERTIFICATE")
        #expect(LogRedaction.sensitive.maskedText(certificate) == certificate)
    }

    @Test(arguments: [
        "eyJhbGciOiJIUzI1NiJ9", "sk-12", "AKIA", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "npm_config_strict_ssl",
        "0123456789abcdef0123456789abcdef01234567", "sk-eletons-and-other-things", "ASIA-PACIFIC-SOUTHEAST-1", "SG.1",
        "hf_model",
    ])
    func aValueThatOnlyLooksAlikeIsShown(value: String) {
        #expect(LogRedaction.sensitive.maskedText("The value is \(value) here") == "The value is \(value) here")
        #expect(LogRedaction.sensitive.maskedValue(#"{"a":"\#(value)"}"#) == #"{"a":"\#(value)"}"#)
    }

    @Test func everythingIsShownIfTheRedactionSaysSo() {
        for value in Self.values { #expect(LogRedaction.showingEverything.maskedText(value) == value) }
    }
}
