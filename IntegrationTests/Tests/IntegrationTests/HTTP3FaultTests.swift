#if os(Linux)
import Foundation
import NetworkClient
import Testing

@Suite(.server(.h3), .timeLimit(.minutes(3)), .requiresHTTP3)
struct HTTP3FaultTests {
    /// The next request has its own response, whatever became of the connection.
    @Test(arguments: HTTP3Fault.whole + HTTP3Fault.wrong + HTTP3Fault.broken)
    func aFaultHasItsOutcome(fault: HTTP3Fault) async throws {
        let client = try NetworkClient.overHTTP3()
        let outcome: HTTP3Fault.Outcome
        do {
            let request = try URLRequest.method(fault.method, url: url(fault)).noBody().build()
            let response = try await client.fetch(request, as: Data.self, options: CallOptions(acceptedStatuses: .all))
            #expect(response["X-Field"] == nil && response["X-Other"] == nil)
            outcome = .response(response.statusCode, String(decoding: response.item, as: UTF8.self))
        } catch let error as NetworkClient.Error {
            outcome = .failure(try #require(error.transportError).reason)
        }
        #expect(outcome == fault.outcome)
        let next = try await client.fetch(.get(url: url(.body)), as: String.self)
        #expect(next.item == "123" && next.metrics?.httpVersion == "HTTP/3")
    }

    private func url(_ fault: HTTP3Fault) throws -> URL {
        let script = try HTTP3Tests.Port.udp.url("/script")
        var components = try #require(URLComponents(url: script, resolvingAgainstBaseURL: false))
        components.queryItems = [URLQueryItem(name: "steps", value: fault.steps)]
        return try #require(components.url)
    }
}

/// A response over QUIC that is wrong or unusual (RFC 9114 §4.1 to §4.3), and the outcome that it must have.
///
/// libcurl has one code for what breaks a rule of HTTP/3, and for a stream that the server resets. Both read as a lost
/// connection, as with HTTP/2.
struct HTTP3Fault: Sendable, CustomTestStringConvertible {
    enum Outcome: Equatable, Sendable {
        case response(Int, String)
        case failure(TransportError.Reason)

        static let lost = Outcome.failure(.connectionLost)
    }

    let testDescription: String
    var method = HTTPMethod.get
    /// The frames of the response, in the words of the server's script.
    let steps: String
    let outcome: Outcome

    private init(_ name: String, method: HTTPMethod = .get, _ steps: [String], _ outcome: Outcome = .lost) {
        (testDescription, self.method, self.outcome) = (name, method, outcome)
        self.steps = "[\(steps.joined(separator: ","))]"
    }

    private static func fields(_ pairs: (String, String)...) -> String {
        #"["fields",[\#(pairs.map { #"["\#($0)","\#($1)"]"# }.joined(separator: ","))]]"#
    }

    private static func ok(_ name: String, _ value: String) -> String { fields((":status", "200"), (name, value)) }
    private static func data(_ text: String) -> String { #"["data","\#(text)"]"# }
    private static func bytes(_ hexadecimal: String) -> String { #"["bytes","\#(hexadecimal)"]"# }
    private static func reset(_ code: Int) -> String { #"["reset",\#(code)]"# }

    private static let end = #"["end",0]"#
    private static let ok = fields((":status", "200"))
    private static let three = ok("content-length", "3")

    static let body = HTTP3Fault("a body", [ok, data("123"), end], .response(200, "123"))

    static let whole = [
        body,
        HTTP3Fault("a length", [three, data("123"), end], .response(200, "123")),
        HTTP3Fault("a body in portions", [three, data("1"), data("2"), data("3"), end], .response(200, "123")),
        HTTP3Fault("no body", [ok, end], .response(200, "")),
        HTTP3Fault("a frame of another kind", [ok, bytes("2102aabb"), data("123"), end], .response(200, "123")),
        HTTP3Fault(
            "interim responses",
            [fields((":status", "103"), ("link", "</a>")), fields((":status", "103")), ok, data("ok"), end],
            .response(200, "ok")
        ),
        HTTP3Fault("204", [fields((":status", "204")), end], .response(204, "")),
        HTTP3Fault("HEAD with a length", method: .head, [ok("content-length", "9"), end], .response(200, "")),
        HTTP3Fault("999", [fields((":status", "999")), data("hi"), end], .response(999, "hi")),
        // The field is left out.
        HTTP3Fault("a line break in a field", [ok("x-field", #"a\r\nx-other: b"#), end], .response(200, "")),
        // libcurl takes the code of no error for an end.
        HTTP3Fault("reset without an error", [ok, data("123"), reset(0x100)], .response(200, "123")),
    ]

    static let wrong = [
        HTTP3Fault("a length that is too long", [three, data("12"), end]),
        HTTP3Fault("a length that is too short", [three, data("12345"), end]),
        HTTP3Fault("two lengths", [fields((":status", "200"), ("content-length", "3"), ("content-length", "4")), end]),
        HTTP3Fault("a length that is a word", [ok("content-length", "three"), data("123"), end]),
        HTTP3Fault("no head", [end]),
        HTTP3Fault("a body before the head", [data("123"), ok, end]),
        HTTP3Fault("no status", [fields(("x-field", "a")), data("123"), end]),
        HTTP3Fault("two statuses", [ok(":status", "201"), end]),
        HTTP3Fault("a status that is none", [fields((":status", "two")), end]),
        HTTP3Fault("a status behind a field", [fields(("x-field", "a"), (":status", "200")), end]),
        HTTP3Fault("a status as a trailer", [ok, data("123"), ok, end]),
        HTTP3Fault("a name in upper case", [ok("X-Field", "a"), end]),
        HTTP3Fault("a field of the connection", [ok("transfer-encoding", "chunked"), end]),
        HTTP3Fault("fields that are not coded", [bytes("0103ffffff"), end]),
        HTTP3Fault("the end in a frame", [ok, bytes("000a616263"), end]),
        HTTP3Fault("settings on the stream of a request", [bytes("0400"), ok, end]),
        HTTP3Fault("a head of 1 MB", [ok, #"["kilobytes",1000]"#, end], .failure(.malformedResponse)),
        HTTP3Fault("trailers of 1 MB", [ok, data("1"), #"["kilobytes",1000]"#, end], .failure(.malformedResponse)),
    ]

    static let broken = [
        HTTP3Fault("reset before the head", [reset(0x102)]),
        HTTP3Fault("rejected before the head", [reset(0x10B)]),
        HTTP3Fault("reset after the head", [ok, reset(0x102)]),
        HTTP3Fault("reset in a body", [ok, data("123"), reset(0x102)]),
        HTTP3Fault("reset without an error in a body with a length", [three, data("12"), reset(0x100)]),
        HTTP3Fault("the connection ends after the head", [ok, #"["close",256]"#]),
    ]
}
#endif
