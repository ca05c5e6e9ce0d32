import Foundation
import NetworkTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import NetworkClient

struct LogRedactionURLTests {
    @Test(
        .spec(151),
        arguments: [
            ("https://a.example/items?page=1", "https://a.example/items?page=1"),
            ("https://a.example/?page=1&token=abc&x=", "https://a.example/?page=1&token=***&x="),
            ("https://a.example/?Access_Token=abc", "https://a.example/?Access_Token=***"),
            ("https://a.example/?pass%77ord=abc&a%5Bkey%5D=b", "https://a.example/?pass%77ord=***&a%5Bkey%5D=***"),
            ("https://a.example/?token=a=b?c/d", "https://a.example/?token=***"),
            ("https://a.example/?flag&&q=a%20b", "https://a.example/?flag&&q=a%20b"),
            ("https://ada:s3cr3t@a.example/x@y", "https://***@a.example/x@y"),
            ("https://s3cr3t@a.example", "https://***@a.example"),
            ("https://a.example/x;jsessionid=abc/y", "https://a.example/x;jsessionid=***"),
            ("https://a.example/cb#access_token=abc", "https://a.example/cb"),
            ("https://a.example/?a=1#/?token=abc", "https://a.example/?a=1"),
            ("https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fcode%3Dabc&p=1", "https://a.example/?next=***&p=1"),
            ("https://a.example/?a=1;token=abc&p=x%20y", "https://a.example/?a=***&p=x%20y"),
            ("mailto:ada@a.example", "mailto:ada@a.example"),
            ("//ada:s3cr3t@a.example/x", "//***@a.example/x"),
            ("https://a.example/?p=%7B%22pin%22%3A1%7D&b=%5B%5D", "https://a.example/?p=***&b=%5B%5D"),
        ]
    )
    func hidesWhatIsSecret(url: String, text: String) throws {
        #expect(LogRedaction.sensitive.text(of: try #require(URL(string: url))) == text)
    }

    @Test(arguments: [
        (#"payload={"token": "s3&cr3t"}&a=1"#, #"payload={"token": "***"}&a=1"#),
        (#"{"token":"s3=cr&3t","a":"b"}"#, #"{"token":"***","a":"b"}"#),
        (#"{"a":"b=c","token":"s3cr3t"}"#, #"{"a":"b=c","token":"***"}"#),
        ("<token>s3&cr3t</token>", "<token>***</token>"),
        ("Bearer+s3cr3t", "***"),
        ("a=Bearer+s3cr3t&b=c", "a=***&b=c"),
    ])
    func findsWhatIsHiddenInAFormThatIsNone(form: String, masked: String) {
        #expect(LogRedaction.sensitive.maskedQuery(form) == masked)
    }

    @Test(.spec(151)) func showsOnlyItemsThatAreAllowed() throws {
        let url = try #require(URL(string: "https://u@a.example/p?page=1&q=ada&flag"))
        #expect(LogRedaction.allowing(["page"]).text(of: url) == "https://***@a.example/p?page=1&q=***&***")
        #expect(LogRedaction.showingEverything.text(of: url) == url.absoluteString)
    }

    @Test(arguments: ["%", "%4", "%zz", "a%", "%ff%fe", "%%41"])
    func readsEscapesThatAreNoneAsText(text: String) {
        #expect(!LogRedaction.decoded(text).isEmpty)
        #expect(LogRedaction.sensitive.maskedQuery("\(text)=1").hasSuffix("=1"))
    }
}
