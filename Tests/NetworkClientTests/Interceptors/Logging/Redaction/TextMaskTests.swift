import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import NetworkClient

struct TextMaskTests {
    @Test(arguments: [
        ("password=s3cr3t", "password=***"),
        ("the password: s3cr3t, then", "the password: ***, then"),
        (#"{"password": "s3 \" cr3t", "name": "Ada"}"#, #"{"password": "***", "name": "Ada"}"#),
        (#"{"code": "s3cr3t"#, #"{"code": "***"#),
        (#"{\"token\": \"s3cr3t\"}"#, #"{\"token\": \"***\"}"#),
        ("<Password>s3cr3t</Password><a>b</a>", "<Password>***</Password><a>b</a>"),
        ("<ns:token>s3cr3t</ns:token>\n<a>b</a>", "<ns:token>***</ns:token>\n<a>b</a>"),
        ("Authorization: Basic czNjcjN0, more\nnext", "Authorization: ***\nnext"),
        ("sent Bearer s3cr3t=", "sent Bearer ***"),
        ("Bearer token is missing", "Bearer token is missing"),
        (#"Bearer realm="x""#, #"Bearer realm="x""#),
        ("at https://u:s3cr3t@a.example/?code=s3cr3t&a=1", "at https://***@a.example/?code=***&a=1"),
        ("Error Code=-1001 code: 7", "Error Code=-1001 code: 7"),
        ("tokens are fine", "tokens are fine"),
        ("", ""),
    ])
    func masksWhatFollowsASecretName(text: String, masked: String) {
        #expect(LogRedaction.sensitive.maskedText(text) == masked)
    }

    @Test(arguments: [
        "password", "password=", "password:", "password: \"", "password=\\", "://", "://@", "?", "?=", "bearer",
        "bearer ",
        "<password>", "\"password", "\u{0}password=\u{0}", "?token=", "password\\", "password\\\"",
    ])
    func endsAtTheEndOfItsText(text: String) {
        #expect(LogRedaction.sensitive.maskedText(text).hasPrefix(String(text.prefix(1))))
    }

    @Test func survivesAnyText() {
        let pieces = [
            "password", "token", "code", "=", ":", " ", "\"", "\\", "'", "<", ">", "/", "://", "@", "?", "&", "é",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...12)).compactMap { _ in pieces.randomElement() }.joined()
            #expect(LogRedaction.sensitive.maskedText(text).isEmpty == text.isEmpty)
        }
    }

    @Test func leavesTextAloneWhenEverythingIsShown() {
        #expect(LogRedaction.showingEverything.maskedText("password=s3cr3t") == "password=s3cr3t")
    }
}
