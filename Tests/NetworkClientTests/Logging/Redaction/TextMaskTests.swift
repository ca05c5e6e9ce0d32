import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct TextMaskTests {
    @Test(arguments: [
        ("password=s3cr3t", "password=***"),
        ("the password: s3cr3t, then", "the password: ***"),
        ("password: hunter s3cr3t, s3cr3t\nnext", "password: ***\nnext"),
        ("user=ada password=hunter s3cr3t", "user=ada password=***"),
        (#"'password' => 's3\'cr3t', 'a' => 'b'"#, #"'password' => '***', 'a' => 'b'"#),
        ("{'pin': 's3cr3t'}", "{'pin': '***'}"),
        (#"{"credentials": {"a": ["s3cr3t", "}"]}, "b": 1}"#, #"{"credentials": ***, "b": 1}"#),
        (#"{"pin": 1234, "b": 1"#, #"{"pin": ***, "b": 1"#),
        ("{\"pin\":\n  \"s3cr3t\", \"b\": 1", "{\"pin\":\n  \"***\", \"b\": 1"),
        (#"{"a": "x\\", "token": "s3\\\"cr3t\\"}"#, #"{"a": "x\\", "token": "***"}"#),
        (#"{\\\"token\\\": \\\"s3\\\\\\\"cr3t\\\", \\\"b\\\": 1}"#, #"{\\\"token\\\": \\\"***\\\", \\\"b\\\": 1}"#),
        (#"{ login(password: """a "s3cr3t" b""", name: "Ada") }"#, #"{ login(password: """***""", name: "Ada") }"#),
        (#"{ login(password: "", name: "Ada") }"#, #"{ login(password: "", name: "Ada") }"#),
        (#"\"{ a(password: \"\"\"s3cr3t\"\"\", b: 1) }\""#, #"\"{ a(password: \"\"\"***\"\"\", b: 1) }\""#),
        ("password: |\n  s3\n\n  cr3t\nname: Ada", "password: ***\nname: Ada"),
        ("a:\n  password:\n    - s3cr3t\n  name: Ada", "a:\n  password:***\n  name: Ada"),
        (#"<w:Password Type="a#b">s3cr3t</w:Password><a/>"#, #"<w:Password Type="a#b">***</w:Password><a/>"#),
        (#"<user pin="s3cr3t" name="Ada"/>"#, #"<user pin="***" name="Ada"/>"#),
        ("<Token><![CDATA[s3</Token>cr3t]]></Token><a>b</a>", "<Token>***</Token><a>b</a>"),
        ("<Token><Token>a</Token>s3cr3t<!-- </Token> --></Token><a>b</a>", "<Token>***</Token><a>b</a>"),
        ("<Token a=\"b\"/><a>b</a>", "<Token a=\"b\"/><a>b</a>"),
        ("<Token>s3cr3t", "<Token>***"),
        ("<Token pin=a>\ns3cr3t</Token><a>b</a>", "<Token pin=******</Token><a>b</a>"),
        (#"<a b="c>d" pin="s3cr3t"/><a>b</a>"#, #"<a b="c>d" pin="***"/><a>b</a>"#),
        (#"<Token>s3cr3t<\/Token><a>b<\/a>"#, #"<Token>***<\/Token><a>b<\/a>"#),
        ("<a>{&quot;pin&quot;:&quot;s3cr3t&quot;}</a><b>c</b>", "<a>{***</a><b>c</b>"),
        ("<a>&amp;lt;Token&amp;gt;s3cr3t</a><b>c &amp; d</b>", "<a>***</a><b>c &amp; d</b>"),
        ("<Code>7</Code><key>a</key>", "<Code>7</Code><key>a</key>"),
        (#"https:\/\/u:s3cr3t@a.example\/x"#, #"https:\/\/***@a.example\/x"#),
        ("at https://u:s3cr3t", "at https://***"),
        ("at https://h:80", "at https://h:80"),
        ("at https://[::1]", "at https://[::1]"),
        (#"{"a": "b\nBearer s3cr3t"#, #"{"a": "b\nBearer ***"#),
        ("//u:s3cr3t@a.example/x", "//***@a.example/x"),
        ("at https://a.example/?token=s3'cr3t,s3&a=1", "at https://a.example/?token=***&a=1"),
        ("next=https%3A%2F%2Fa%2F%3Fcode%3Ds3%2Bcr3t+s3&a=1", "next=***&a=1"),
        ("a 100% sure %zz", "a 100% sure %zz"),
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
    func valuesAfterSecretNamesInTextAreMasked(text: String, masked: String) {
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
            "password", "token", "code", "=", ":", " ", "\"", "\\", "'", "<", ">", "/", "://", "@", "?", "&", "é",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...12)).compactMap { _ in pieces.randomElement() }.joined()
            expect(LogRedaction.sensitive.maskedText(text).isEmpty, text.isEmpty)
        }
    }

    @Test func textIsNotMaskedWhenEverythingIsShown() {
        expect(LogRedaction.showingEverything.maskedText("password=s3cr3t"), "password=s3cr3t")
    }
}
