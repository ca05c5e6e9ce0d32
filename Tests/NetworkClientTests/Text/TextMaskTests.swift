import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct TextMaskTests {
    @Test(
        .spec(219),
        arguments: [
            (
                #"data: {"token": "s3cr3t", "a": 1}"# + "\n\n" + #"data: {"a": 2}"#,
                #"data: {"token": "***", "a": 1}"# + "\n\n" + #"data: {"a": 2}"#
            ),
            (
                #"{"pin":1,"a":2}"# + "\n" + #"{"a":3,"pin":[4]}"#,
                #"{"pin":"***","a":2}"# + "\n" + #"{"a":3,"pin":"***"}"#
            ),
            (#"cb({ "token": {"a": "}"} });"#, #"cb({ "token": "***" });"#),
            (#"[{"a": ["{\"pin\": 1}"]}]"#, #"[{"a": ["{\"pin\": \"***\"}"]}]"#),
            (#"["{\"pin\": 1}", 2] and so on"#, #"["{\"pin\": \"***\"}", 2] and so on"#),
            (#"{"a": NaN, "token": "s3cr3t"}"#, #"{"a": NaN, "token": "***"}"#),
            (#"{"a": x, "token": "s3cr3t"}"#, #"{"a": ***"#), (#"{"a": 1, "token": "s3cr"#, #"{"a": 1, "token": ***"#),
            (#"{\"token\": \"s3cr3t\"}"#, "{***"), (#"{"a": 1 and so on"#, #"{"a": 1 ***"#),
            ("a set {} and [1] and [x] {y}", "a set {} and [1] and [x] {y}"),
            ("[Bug] the 'title'", "[Bug] the 'title'"),
            ("password: swordfish <pin>1</pin>", "password: swordfish <pin>1</pin>"),
            (#"https:\/\/u:s3cr3t@a.example\/x"#, #"https:\/\/***@a.example\/x"#),
            ("at https://u:s3cr3t", "at https://***"),
            ("at https://h:80", "at https://h:80"),
            ("at https://[::1]", "at https://[::1]"),
            ("//u:s3cr3t@a.example/x", "//***@a.example/x"),
            ("at https://a.example/?token=s3'cr3t,s3&a=1", "at https://a.example/?token=***&a=1"),
            ("<https://a.example/?cursor=1&key=s3cr3t>; rel=next", "<https://a.example/?cursor=1&key=***>; rel=next"),
            ("next=https%3A%2F%2Fa%2F%3Fcode%3Ds3%2Bcr3t+s3&a=1", "next=***&a=1"),
            ("a 100% sure %zz", "a 100% sure %zz"),
            ("“Bearer s3cr3t”", "“Bearer ***"), ("basic:basic:x", "basic:basic:x"),
            ("key：ghp_Zq7Xj2Wm9Kd4Rt6Ny8Lp3Vb5]", "key：***]"),
            ("[auth][ghp_Zq7Xj2Wm9Kd4Rt6Ny8Lp3Vb5][", "[auth][***]["),
            (#"DOMAIN\ghp_Zq7Xj2Wm9Kd4Rt6Ny8Lp3Vb5"#, #"DOMAIN\***"#),
            ("sent Bearer s3cr3t=", "sent Bearer ***"), ("[Bearer s3cr3t]", "[Bearer ***]"),
            ("Authorization: Basic czNjcjN0, more\nnext", "Authorization: Basic ***, more\nnext"),
            ("Bearer token is missing", "Bearer token is missing"),
            (#"Bearer realm="x""#, #"Bearer realm="x""#),
            ("at https://u:s3cr3t@a.example/?code=s3cr3t&a=1", "at https://***@a.example/?code=***&a=1"),
            ("Error Code=-1001 code: 7", "Error Code=-1001 code: 7"),
            ("at https://a.example/?state=s3cr3t&client_id=a", "at https://a.example/?state=***&client_id=a"),
            ("at https://a.example/?state=open&a=1", "at https://a.example/?state=open&a=1"),
            (
                #"{"state": "CA", "error": "invalid_grant", "error_description": "s3cr3t is used"}"#,
                #"{"state": "CA", "error": "invalid_grant", "error_description": "***"}"#
            ),
            ("", ""),
        ]
    )
    func secretsAreMaskedInAnyText(text: String, masked: String) {
        expect(LogRedaction.sensitive.maskedText(text), masked)
    }

    @Test(arguments: [
        "password", "password=", "password:", "password: \"", "password=\\", "://", "://@", "?", "?=", "bearer",
        "bearer ",
        "<password>", "\"password", "\u{0}password=\u{0}", "?token=", "password\\", "password\\\"",
    ])
    func maskingEndsAtTheEndOfTheText(text: String) {
        #expect(LogRedaction.sensitive.maskedText(text).hasPrefix(String(text.prefix(1))))
    }

    @Test func noTextTrapsWhileItIsMasked() {
        let pieces = [
            "password", "token", "code", "=", ":", " ", "\"", "\\", "'", "{\"", "[", "}", "]", "/", "://", "@", "?",
            "&", "%7B%22",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...12)).compactMap { _ in pieces.randomElement() }.joined()
            expect(LogRedaction.sensitive.maskedText(text).isEmpty, text.isEmpty)
        }
    }

    @Test func textIsNotMaskedWhenEverythingIsShown() {
        expect(LogRedaction.showingEverything.maskedText("Bearer s3cr3t"), "Bearer s3cr3t")
    }
}
