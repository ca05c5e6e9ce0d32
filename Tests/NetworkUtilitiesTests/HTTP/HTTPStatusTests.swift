import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HTTPStatusTests {
    @Test(.spec(161), arguments: [599, 299, 199, 600, 999, 0, -1, 1_000_000, Int.max, Int.min])
    func takesAnyNumberAndGivesItBack(code: Int) {
        let status = HTTPStatus(rawValue: code)
        #expect(status.rawValue == code)
        #expect(status.reasonPhrase == nil)
        #expect(status.description == String(code))
        #expect(status == HTTPStatus(rawValue: code) && status.hashValue == HTTPStatus(rawValue: code).hashValue)
    }

    @Test(
        .spec(161),
        arguments: [
            (100, .informational), (199, .informational), (200, .successful), (299, .successful), (300, .redirection),
            (399, .redirection), (400, .clientError), (499, .clientError), (500, .serverError), (599, .serverError),
            (99, nil), (600, nil), (0, nil), (-200, nil), (2000, nil), (Int.max, nil), (Int.min, nil),
        ] as [(Int, HTTPStatus.Kind?)]
    )
    func readsTheClassFromTheFirstOfThreeDigits(code: Int, kind: HTTPStatus.Kind?) {
        #expect(HTTPStatus(rawValue: code).kind == kind)
    }

    @Test(.spec(161)) func givesEveryCodeOfThreeDigitsOneClass() {
        for (index, kind) in HTTPStatus.Kind.allCases.enumerated() {
            let codes = (index + 1) * 100..<(index + 2) * 100
            #expect(codes.allSatisfy { HTTPStatus(rawValue: $0).kind == kind })
        }
    }

    @Test func canBeMatchedByName() {
        let answer =
            switch HTTPStatus(rawValue: 404) {
            case .ok: "found"
            case .notFound: "missing"
            default: "other"
            }
        #expect(answer == "missing")
    }
}
