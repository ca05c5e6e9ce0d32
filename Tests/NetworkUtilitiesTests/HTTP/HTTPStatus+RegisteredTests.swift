import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HTTPStatusRegisteredTests {
    /// The codes of IANA's registry that have a name, and 306 and 418, which it reserves as unused.
    private static let registered: [ClosedRange<Int>] = [
        100...104, 200...208, 226...226, 300...308, 400...418, 421...426, 428...429, 431...431, 451...451, 500...508,
        510...511,
    ]

    @Test(.spec(161)) func exactlyTheRegisteredCodesHaveNames() {
        let named = (-1000...2000).filter { HTTPStatus(rawValue: $0).reasonPhrase != nil }
        #expect(named == Self.registered.flatMap { Array($0) })
    }

    @Test(
        .spec(161),
        arguments: [
            (.continue, 100, "Continue"), (.ok, 200, "OK"), (.imUsed, 226, "IM Used"), (.seeOther, 303, "See Other"),
            (.permanentRedirect, 308, "Permanent Redirect"), (.notFound, 404, "Not Found"),
            (.contentTooLarge, 413, "Content Too Large"), (.uriTooLong, 414, "URI Too Long"),
            (.unprocessableContent, 422, "Unprocessable Content"), (.tooEarly, 425, "Too Early"),
            (.tooManyRequests, 429, "Too Many Requests"), (.httpVersionNotSupported, 505, "HTTP Version Not Supported"),
            (.networkAuthenticationRequired, 511, "Network Authentication Required"),
        ] as [(HTTPStatus, Int, String)]
    )
    func aRegisteredStatusHasItsCodeAndName(status: HTTPStatus, code: Int, name: String) {
        #expect(status.rawValue == code)
        #expect(status.reasonPhrase == name)
        #expect(status.description == "\(code) \(name)")
    }

    @Test(.spec(161), arguments: [306, 418])
    func aReservedStatusIsCalledUnused(code: Int) {
        #expect(HTTPStatus(rawValue: code).description == "\(code) (Unused)")
    }
}
