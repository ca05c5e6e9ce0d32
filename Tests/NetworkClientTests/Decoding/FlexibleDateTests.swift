import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct FlexibleDateTests {
    private struct Post: Decodable {
        var created: Date
    }

    private func dates(_ json: String) throws -> [Date] {
        try DefaultDecoder().decode(data: Data(json.utf8))
    }

    private func text(of json: String) -> String? {
        let error = #expect(throws: DecodingError.self) {
            let _: [String: [Post]] = try DefaultDecoder().decode(data: Data(json.utf8))
        }
        return error.map { DecodingErrorText($0).description }
    }

    private static let forms: [(String, Double)] = [
        ("\"2024-01-02T03:04:05Z\"", 1_704_164_645), ("\"2024-01-02T03:04:05.123Z\"", 1_704_164_645.123),
        ("\"2024-01-02T03:04:05.1234567Z\"", 1_704_164_645.123_456_7), ("\"2024-01-02T05:04:05+02:00\"", 1_704_164_645),
        ("\"2024-01-02T05:04:05+0200\"", 1_704_164_645), ("\"2024-01-02T05:04:05+02\"", 1_704_164_645),
        ("\"2024-01-02T03:04:05\"", 1_704_164_645), ("\"2024-01-02 03:04Z\"", 1_704_164_640),
        ("\"2024-01-02\"", 1_704_153_600), ("1704164645", 1_704_164_645), ("1704164645.25", 1_704_164_645.25),
        ("-1.5", -1.5), ("0", 0), ("1.704164645e9", 1_704_164_645),
    ]

    @Test(.spec(74), arguments: forms)
    func decodesTheInstant(json: String, seconds: Double) throws {
        let date = try #require(try dates("[\(json)]").first)
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
    }

    @Test(
        .spec(74),
        arguments: ["\"2024-02-30\"", "\"\"", "\"secret\"", "1704164645000", "-1e15", "1e300", "\"1704164645\""]
    )
    func namesTheAcceptedFormsAndThePathOfAnythingElse(json: String) {
        #expect(
            text(of: #"{"posts":[{"created":0},{"created":\#(json)}]}"#)
                == """
                The value at 'posts[1].created' is not a date in ISO 8601 (2024-01-02 or 2024-01-02T03:04:05.678, \
                seconds and fraction optional, followed by Z, +02:00, +0200, +02 or nothing for UTC) or in seconds \
                since 1970.
                """
        )
    }

    @Test func saysWhereNullAndOtherTypesStand() {
        #expect(
            text(of: #"{"posts":[{"created":null}]}"#)
                == "The value at 'posts[0].created' is missing or null where Date is expected."
        )
        for json in ["true", "[]", "{}"] {
            #expect(
                text(of: #"{"posts":[{"created":\#(json)}]}"#)
                    == "The value at 'posts[0].created' is not of the type expected, Date."
            )
        }
    }

    @Test func anOptionalDateMayBeNull() throws {
        let dates: [Date?] = try DefaultDecoder().decode(data: Data("[null,0]".utf8))
        #expect(dates == [nil, Date(timeIntervalSince1970: 0)])
    }
}
