import NetworkClient
import NetworkTestSupport

extension Fault {
    private static func answer(_ fields: String, _ body: String) -> [any WireBytes] {
        ["HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"]
    }

    /// Lengths of responses (RFC 9112 §6.3) that are wrong in each possible way.
    static let ofLengths = [
        Fault(
            "a length that is too short",
            answer("Content-Length: 3", "12345"),
            .answered(200, "123"),
            spoilsConnection: true
        ),
        Fault(
            "two lengths",
            answer("Content-Length: 2\r\nContent-Length: 3", "123"),
            .failed(.malformedResponse),
            spoilsConnection: true,
            except: [.hearsOfHeadsLate: .sameConnection]
        ),
        Fault(
            "a list of two lengths",
            answer("Content-Length: 2, 3", "123"),
            .failed(.malformedResponse),
            spoilsConnection: true,
            except: [.hearsOfHeadsLate: .sameConnection]
        ),
        Fault("one length twice", answer("Content-Length: 3\r\ncontent-length: 3", "123"), .answered(200, "123")),
        Fault(
            "a negative length",
            answer("Content-Length: -3", "123"),
            .failed(.malformedResponse),
            spoilsConnection: true
        ),
        Fault(
            "a length that is a word",
            answer("Content-Length: three", "123"),
            .failed(.malformedResponse),
            spoilsConnection: true
        ),
        Fault(
            "a length beyond all numbers",
            answer("Content-Length: 99999999999999999999", "123"),
            then: [.close],
            .failed(.malformedResponse)
        ),
        Fault("no length", answer("X-A: 1", "123"), then: [.close], .answered(200, "123")),
        Fault(
            "a length and chunks",
            answer("Content-Length: 99\r\nTransfer-Encoding: chunked", "3\r\n123\r\n0\r\n\r\n"),
            .answered(200, "123")
        ),
        Fault(
            "an announced length over the limit",
            answer("Content-Length: 100", String(repeating: "x", count: 100)),
            .failed(.bodyTooLarge),
            bodyLimit: 99
        ),
        Fault(
            "more than the limit without a length",
            answer("X-A: 1", ""),
            then: [.repeat(String(repeating: "x", count: 1000), count: 20_000), .close],
            .failed(.bodyTooLarge),
            bodyLimit: 999
        ),
        Fault("exactly the limit", answer("Content-Length: 3", "123"), .answered(200, "123"), bodyLimit: 3),
    ]
}
