import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct ResponseHeadTests {
    private func lines(_ text: String) -> ResponseHeadLines {
        var lines = ResponseHeadLines()
        for line in text.split(separator: "\n") { Array("\(line)\r\n".utf8).withUnsafeBytes { lines.append($0) } }
        return lines
    }

    private func received(_ text: String) -> ResponseHead? {
        ResponseHead(lines(text), url: url("https://h/a"), metrics: TransportMetrics(total: 1.5))
    }

    @Test func aHeadKnowsItsFieldsBeforeItsResponseIsCreated() throws {
        let head = try #require(received("HTTP/1.1 201 Created\nX-A: 1\nx-a: 2"))
        expect(head.status, 201)
        expect(head.value(of: "X-a"), "1, 2")
        expect(head.fields.map(\.name), ["X-A", "x-a"])
        expect(head.metrics?.total, 1.5)
    }

    @Test func aHeadCreatesItsResponseOnce() throws {
        let head = try #require(received("HTTP/1.1 201 Created\nX-A: 1\nx-a: 2\nContent-Type: text/plain"))
        let response = head.response
        #expect(response === head.response)
        expectAll((response.statusCode, response.url), (201, url("https://h/a")))
        expect(response.value(forHTTPHeaderField: "x-A"), "1, 2")
        expect(response.mimeType, "text/plain")
        expect(response.receivedFields, head.fields)
        expect(response.metrics, head.metrics)
    }

    @Test(arguments: ["", "HTTP/1.1", "HTTP/1.1 x", "HTTP/1.1 20", "HTTP/1.1 2000 OK", "HTTP/1.1 099 OK", "X: 200 y"])
    func linesWithoutAStatusAreNoHead(text: String) {
        #expect(received(text) == nil)
    }

    /// The initialiser of Foundation that creates the response is failable.
    @Test func everyStatusAndFieldMakesAResponse() throws {
        var generator = SeededGenerator(seed: 3)
        for status in 100...999 {
            let fields = (0..<5).map { _ in
                let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                    UInt8.random(in: 1...255, using: &generator)
                }
                return String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
            }
            let head = try #require(received("HTTP/1.1 \(status) x\n" + fields.joined(separator: "\n")))
            expect(head.response.statusCode, status)
        }
    }

    @Test(arguments: [true, false])
    func laterMetricsReplaceThoseOfAHead(isMade: Bool) throws {
        let made = ResponseHead(HTTPURLResponse.made(200, url: "https://h/", headers: ["A": "1"]))
        let head = isMade ? made : try #require(received("HTTP/1.1 200 OK\nA: 1"))
        expect(head.value(of: "a"), "1")
        var metrics = TransportMetrics(total: 3)
        metrics.redirects = 2
        head.update(metrics)
        expect(head.metrics, metrics)
        // A response that was created already is unchanged.
        expect(head.response.metrics, (isMade ? nil : metrics))
        expect(head.response.value(forHTTPHeaderField: "A"), "1")
    }

    @Test(arguments: [
        (nil, false), ("identity", false), ("Identity, none", false), ("", false), ("gzip", true),
        ("identity,gzip", true), ("br", true),
    ])
    func aHeadKnowsWhetherItsBodyIsCoded(coding: String?, isCoded: Bool) throws {
        let field = coding.map { "Content-Encoding: \($0)\n" } ?? ""
        let head = try #require(received("HTTP/1.1 200 OK\n\(field)Content-Length: 3"))
        expect(head.isCoded, isCoded)
        expect(head.bodyLength(of: URLRequest(url: url("https://h/"))), (isCoded ? nil : 3))
    }
}
