import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MultipartEscapingTests {
    private func written(_ text: String, as escaping: MultipartEscaping) -> String {
        var bytes = Array("<".utf8)
        escaping.append(text, to: &bytes)
        return String(decoding: bytes.dropFirst(), as: UTF8.self)
    }

    @Test(
        .spec(54),
        arguments: [
            ("", "", "", ""),
            ("é😀%\u{85}\u{2028}\u{0}\t;\\", "é😀%\u{85}\u{2028}\u{0}\t;\\", "é😀%\u{85}\u{2028}\u{0}\t;\\", nil),
            ("\"", "%22", "%22", "\""), ("a\"b\"", "a%22b%22", "a%22b%22", "a\"b\""),
            ("\n", "%0D%0A", "%0A", "\r\n"), ("\r", "%0D%0A", "%0D", "\r\n"), ("\r\n", "%0D%0A", "%0D%0A", "\r\n"),
            ("\n\r", "%0D%0A%0D%0A", "%0A%0D", "\r\n\r\n"), ("\r\r\n", "%0D%0A%0D%0A", "%0D%0D%0A", "\r\n\r\n"),
            ("\r\n\n", "%0D%0A%0D%0A", "%0D%0A%0A", "\r\n\r\n"), ("a\nb\r", "a%0D%0Ab%0D%0A", "a%0Ab%0D", "a\r\nb\r\n"),
        ] as [(String, String, String, String?)]
    )
    func writesEachPlaceByItsRule(text: String, name: String, filename: String, value: String?) {
        #expect(written(text, as: .name) == name)
        #expect(written(text, as: .filename) == filename)
        #expect(written(text, as: .text) == value ?? text)
    }

    /// Texts that Foundation made are not in one piece of UTF-8 on every platform.
    @Test func writesTextsThatFoundationMade() {
        let text = NSString(string: "zwölf\n") as String
        #expect(written(text, as: .text) == "zwölf\r\n")
    }
}
