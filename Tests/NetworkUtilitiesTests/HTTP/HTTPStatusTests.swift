@testable import NetworkUtilities

struct HTTPStatusTests {
    @Test(.spec(161)) func anyNumberIsAStatusAndItsClassIsItsFirstDigit() {
        for code in [599, 299, 199, 600, 999, 0, -1, 1_000_000, Int.max, Int.min] {
            let status = HTTPStatus(rawValue: code)
            expect(status.rawValue, code)
            expect(status.reasonPhrase, nil)
            expect(status.description, String(code))
            expect(Set([status, HTTPStatus(rawValue: code)]).count, 1)
        }
        for (index, kind) in HTTPStatus.Kind.allCases.enumerated() {
            let codes = (index + 1) * 100..<(index + 2) * 100
            #expect(codes.allSatisfy { HTTPStatus(rawValue: $0).kind == kind })
        }
        expect(HTTPStatus.Kind.allCases, [.informational, .successful, .redirection, .clientError, .serverError])
        for code in [99, 600, 0, -200, 2000, Int.max, Int.min] { expect(HTTPStatus(rawValue: code).kind, nil) }
    }

    /// The codes of IANA's registry that have a name, and 306 and 418, which it reserves as unused.
    private static let registered: [ClosedRange<Int>] = [
        100...104, 200...208, 226...226, 300...308, 400...418, 421...426, 428...429, 431...431, 451...451, 500...508,
        510...511,
    ]

    @Test(.spec(161)) func exactlyTheRegisteredStatusesHaveNamesAndAreListedInOrder() {
        let codes = Self.registered.flatMap { Array($0) }
        expect((-1000...2000).filter { HTTPStatus(rawValue: $0).reasonPhrase != nil }, codes)
        expect(HTTPStatus.registered.map(\.rawValue), codes.filter { ![306, 418].contains($0) })
        expect(HTTPStatus.registered.map(\.rawValue), codes.filter { ![306, 418].contains($0) })
        for code in [306, 418] { expect(HTTPStatus(rawValue: code).description, "\(code) (Unused)") }
    }

    @Test(.spec(161)) func aRegisteredStatusHasItsCodeAndName() {
        let rows: [(HTTPStatus, Int, String)] = [
            (.continue, 100, "Continue"), (.ok, 200, "OK"), (.imUsed, 226, "IM Used"), (.seeOther, 303, "See Other"),
            (.permanentRedirect, 308, "Permanent Redirect"), (.notFound, 404, "Not Found"),
            (.contentTooLarge, 413, "Content Too Large"), (.uriTooLong, 414, "URI Too Long"),
            (.unprocessableContent, 422, "Unprocessable Content"), (.tooEarly, 425, "Too Early"),
            (.tooManyRequests, 429, "Too Many Requests"), (.httpVersionNotSupported, 505, "HTTP Version Not Supported"),
            (.networkAuthenticationRequired, 511, "Network Authentication Required"),
        ]
        for (status, code, name) in rows {
            expect(status.rawValue, code)
            expect(status.reasonPhrase, name)
            expect(status.description, "\(code) \(name)")
        }
    }

    @Test(.spec(161)) func aStatusIsCodedAsItsNumberMatchedByNameAndReadFromAResponse() throws {
        let statuses: [HTTPStatus] = [.ok, HTTPStatus(rawValue: 799)]
        let json = try JSONEncoder().encode(statuses)
        expect(String(decoding: json, as: UTF8.self), "[200,799]")
        expect(try JSONDecoder().decode([HTTPStatus].self, from: json), statuses)
        let answer =
            switch HTTPStatus(rawValue: 404) {
            case .ok: "found"
            case .notFound: "missing"
            default: "other"
            }
        expect(answer, "missing")
        for code in [200, 404, 418, 799] { expect(HTTPURLResponse.made(code).status, HTTPStatus(rawValue: code)) }
    }
}
