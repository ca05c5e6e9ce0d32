import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct LogRedactionErrorTests {
    struct Opaque: Error, CustomStringConvertible, LocalizedError {
        let value = "s3cr3t"
        var description: String { "it was s3cr3t" }
        var errorDescription: String? { "it was s3cr3t" }
    }

    enum Case: Error {
        case plain
        case loaded(value: String)
        case nested(Opaque)
    }

    enum Talkative: Error, CustomStringConvertible {
        case one
        var description: String { "s3cr3t" }
    }

    @Test(
        .spec(94),
        arguments: [
            (Opaque(), "LogRedactionErrorTests.Opaque"),
            (Case.plain, "LogRedactionErrorTests.Case.plain"),
            (Case.loaded(value: "s3cr3t"), "LogRedactionErrorTests.Case.loaded"),
            (Case.nested(Opaque()), "LogRedactionErrorTests.Case.nested"),
            (Talkative.one, "LogRedactionErrorTests.Talkative"),
            (NSError(domain: "Shop", code: 7, userInfo: [NSLocalizedDescriptionKey: "s3cr3t"]), "NSError (Shop 7)"),
            (URLError(.timedOut, userInfo: ["u": "s3cr3t"]), "URLError (NSURLErrorDomain -1001)"),
            (CancellationError(), "cancelled"),
        ] as [(any Error & Sendable, String)]
    )
    func aForeignErrorIsNamedWithoutItsText(error: any Error & Sendable, text: String) {
        expect(LogRedaction.sensitive.text(of: error), text)
    }

    @Test func anErrorOfThisLibraryIsDescribed() {
        let error = BodyEncodingError.json(path: "orders[2]", reason: "is not a number")
        let text = "The JSON body cannot be encoded: 'orders[2]' is not a number."
        expect(LogRedaction.sensitive.text(of: error), text)
    }

    @Test(.spec(94)) func anErrorNeverQuotesAResponseOrAURL() throws {
        let exchange = LoggedExchange(responseHeaders: ["X-A": "s3cr3t"])
        let errors: [NetworkClient.Error] = [
            .apiError(response: try exchange.response(), data: Data("s3cr3t".utf8)),
            .invalidUrl(originalUrl: "https://a.example/?token=s3cr3t"),
        ]
        for error in errors { expect(LogRedaction.sensitive.text(of: error), lacks: "s3cr3t") }
    }
}
