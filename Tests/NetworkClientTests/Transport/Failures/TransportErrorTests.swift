import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct TransportErrorTests {
    @Test(.spec(94)) func aTransportErrorNamesTheURLWithoutQueryUserAndPassword() {
        let request = URLRequest(url: url("https://user:p%40ss@api.example.com:8443/items?token=t#f"))
        let error = TransportError(.timedOut, request: request, underlying: URLError(.timedOut))
        let text = "The request to 'https://api.example.com:8443/items' failed: it timed out."
        expect(error.description, text)
        expect(error.localizedDescription, text)
        expect(String(reflecting: error), text)
    }

    @Test(
        .spec(199),
        arguments: [
            (.idle(5), "no byte was sent or received within its idle timeout of 5 s"),
            (.exchange(0.25), "the exchange took longer than 0.25 s"),
            (.connection(30), "no connection was made within its connect timeout of 30 s"),
        ] as [(PassedLimit, String)]
    )
    func aTimeoutNamesItsLimitAndItsNumber(limit: PassedLimit, sentence: String) {
        let error = TransportError(passed: limit, request: URLRequest(url: url("https://h/a")))
        expectAll((error.isTimeout, error.passedLimit), (true, limit))
        expect(error.description, "The request to 'https://h/a' failed: \(sentence).")
        #expect(error != TransportError(.timedOut, request: URLRequest(url: url("https://h/a"))))
    }

    @Test(arguments: [
        ("http:user:secret@host/x", "http:host/x"), ("mailto:bob:secret@h", "mailto:h"), ("https://u@h", "https://h"),
        ("a@b/c", ""), ("https://h/a@b", "https://h/a@b"), ("/path", "/path"),
    ])
    func aTransportErrorShowsNoUserOfAnyURL(text: String, place: String) {
        let shown = url(text).shownPlace
        #expect(shown == place || !shown.contains("@") && text == "a@b/c")
    }

    @Test func aTransportErrorShowsTheBeginningOfALongURL() {
        let long = url("https://h/" + String(repeating: "a", count: 100_000))
        expect(long.shownPlace, "https://h/" + String(repeating: "a", count: 2_038) + "…")
    }

    @Test(.spec(94)) func aTransportErrorHidesTheTextOfTheLayerBelow() {
        let underlying = URLError(.timedOut, userInfo: ["NSErrorFailingURLStringKey": "https://h/?token=s3cret"])
        var dumped = ""
        dump(TransportError(.timedOut, underlying: underlying), to: &dumped)
        expect(dumped, lacks: "s3cret")
    }

    @Test(arguments: [
        (POSIXErrorCode.EACCES, "the destination may not be written"), (.EROFS, "the destination may not be written"),
        (.ENOTDIR, "the folder of the destination is a file"), (.ENOSPC, "there is no space left for its file"),
        (.EFBIG, "its file would be longer than the system allows"), (.EIO, "its file could not be written"),
    ])
    func theFailureOfADownloadNamesWhatTheSystemRefused(code: POSIXErrorCode, sentence: String) {
        let error = TransportError(unwrittenFile: POSIXError(code))
        expect(error.description, "The request failed: \(sentence).")
        expect((error.underlying as? POSIXError)?.code, code)
    }

    @Test func aCustomTransportMayHaveItsOwnReasons() {
        let reason = TransportError.Reason(name: "quota", sentence: "the quota is used up")
        expect(TransportError(reason).description, "The request failed: the quota is used up.")
        expect(reason, TransportError.Reason(name: "quota", sentence: "another text"))
        #expect(reason != .timedOut)
        expect(Set([reason, reason, .timedOut]).count, 2)
    }
}

extension TransportErrorTests {
    /// The rows of the tables in the article, by the name of the reason.
    private static func listedReasons() throws -> [String: (meaning: String, retry: String)] {
        let page = "Sources/NetworkClient/NetworkClient.docc/FailedExchanges.md"
        let text = try String(contentsOf: PackageFiles.root.appendingPathComponent(page), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|") }
        let cells = rows.map { row in row.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) } }
        return Dictionary(cells.map { ($0[0], ($0[1], $0[3])) }) { first, _ in first }
    }

    @Test func theArticleListsEveryReasonAndWhetherItIsRetried() throws {
        let names = try ["NetworkClient", "NetworkClientTesting"].flatMap { module in
            let list = PackageFiles.root.appendingPathComponent("scripts/api/\(module).txt")
            return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").filter {
                $0.hasPrefix("TransportError.Reason.") && $0.contains(": static let ")
            }.compactMap { $0.split(separator: ":").first?.split(separator: ".").last.map { "\($0)" } }
        }
        let listed = try Self.listedReasons()
        expect(Set(listed.keys), Set(names))
        // A proxy's refusal is repeated by its status.
        let repeated = listed.filter { $0.key != "proxyRefused" && $0.value.retry != "no" }
        expect(Set(repeated.keys), Set(RetryPolicy.defaultReasons.map(\.description)))
        for reason in RetryPolicy.defaultReasons {
            let (meaning, retry) = try #require(listed[reason.description])
            let wasSent = !TransportError(reason).showsThatNothingWasSent
            #expect(retry.hasPrefix(wasSent ? "if idempotent" : "yes"), "\(reason)")
            #expect(meaning.contains("nothing was sent") != wasSent, "\(reason)")
        }
    }
}
