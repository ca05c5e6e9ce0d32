import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct RecognizableSecretTests {
    private static let core = "Zq7Xj2Wm9Kd4Rt6Ny8Lp3Vb5"

    @Test(.spec(219)) func aPrivateKeyIsMaskedToItsEnd() {
        let lines = ["-----BEGIN RSA PRIVATE KEY-----", Self.core, "\(Self.core)==", "-----END RSA PRIVATE KEY-----"]
        for text in [lines.joined(separator: "\n"), lines.dropLast(2).joined(separator: "\n")] {
            #expect(LogRedaction.sensitive.maskedText("a\n\(text)\nb").hasPrefix("a\n***"))
            let json = String(decoding: JSONString.quoted(text), as: UTF8.self)
            expect(LogRedaction.sensitive.maskedText("{\"a\":\(json),\"b\":1}"), #"{"a":"***","b":1}"#)
        }
        let text = lines.joined(separator: "\n")
        expect(LogRedaction.sensitive.maskedText("a\n\(text)\nb"), "a\n***\nb")
        let certificate = text.replacingOccurrences(of: "RSA PRIVATE KEY", with: "CERTIFICATE")
        expect(LogRedaction.sensitive.maskedText(certificate), certificate)
    }

    @Test(arguments: [
        "eyJhbGciOiJIUzI1NiJ9", "sk-12", "AKIA", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "npm_config_strict_ssl",
        "0123456789abcdef0123456789abcdef01234567", "sk-eletons-and-other-things", "ASIA-PACIFIC-SOUTHEAST-1", "SG.1",
        "hf_model",
    ])
    func aValueThatOnlyLooksAlikeIsShown(value: String) {
        expect(LogRedaction.sensitive.maskedText("The value is \(value) here"), "The value is \(value) here")
        expect(LogRedaction.sensitive.maskedText(#"{"a":"\#(value)"}"#), #"{"a":"\#(value)"}"#)
    }
}
