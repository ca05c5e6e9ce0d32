import Foundation
import Testing

@testable import NetworkUtilities

struct FormStyleDateStyleTests {
    private func text(_ seconds: Double, _ style: FormStyle.DateStyle) throws -> String {
        let params: Params = ["d": Date(timeIntervalSince1970: seconds)]
        return try DefaultFormEncoder(style: FormStyle(dates: style)).percentEncodedString(params: params)
    }

    @Test(
        arguments: [
            (0.0, "0"), (1.0, "1"), (-1, "-1"), (0.5, "0.5"), (-0.25, "-0.25"), (1_704_164_645.678, "1704164645.678"),
            (0.0004, "0"), (-0.0004, "0"), (0.9996, "1"), (0.05, "0.05"), (0.001, "0.001"),
            (-62_135_596_800, "-62135596800"), (253_402_300_799, "253402300799"),
        ]
    )
    func writesSeconds(seconds: Double, expected: String) throws {
        #expect(try text(seconds, .secondsSince1970) == "d=\(expected)")
    }

    @Test(arguments: [(0.0, "0"), (1.5, "1500"), (-0.25, "-250"), (1_704_164_645.678, "1704164645678"), (1e-9, "0")])
    func writesMilliseconds(seconds: Double, expected: String) throws {
        #expect(try text(seconds, .millisecondsSince1970) == "d=\(expected)")
    }

    @Test func writesTheInternetsForm() throws {
        #expect(try text(0.25, .iso8601) == "d=1970-01-01T00%3A00%3A00.250Z")
    }

    @Test func writesATextOfYourOwn() throws {
        let style = FormStyle.DateStyle.custom { "day \(Int($0.timeIntervalSince1970 / 86_400))" }
        #expect(try text(86_400, style) == "d=day+1")
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 253_402_300_800, -62_135_596_801])
    func refusesOtherYears(seconds: Double) {
        let error = BodyEncodingError.form(path: "d", reason: "is a date outside the years 0001 to 9999")
        for style in [FormStyle.DateStyle.iso8601, .secondsSince1970, .millisecondsSince1970] {
            #expect(throws: error) { try text(seconds, style) }
        }
    }
}
