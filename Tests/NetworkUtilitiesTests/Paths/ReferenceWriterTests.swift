import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct ReferenceWriterTests {
    private func text(_ path: RequestPath, base: String = "https://h/v1") throws -> String {
        try path.resolved(against: url(base)).absoluteString
    }

    @Test func blamesTheLiteralForItsOwnSegmentBehindAValue() {
        let behind = RequestPathError.Place(value: nil, path: "/{1}/..")
        #expect(throws: RequestPathError.dotSegment(behind)) { try text("/\("x")/..") }
        let between = RequestPathError.Place(value: nil, path: "/{1}/./{2}")
        #expect(throws: RequestPathError.dotSegment(between)) { try text("/\("x")/./\("y")") }
        let escaped = RequestPathError.Place(value: nil, path: "/{1}/..")
        #expect(throws: RequestPathError.dotSegment(escaped)) { try text("/\(encoded: "a/b")/..") }
    }

    @Test func blamesTheValueForTheSegmentThatItEnds() {
        let place = RequestPathError.Place(value: "{1}", path: "/{1}./x")
        #expect(throws: RequestPathError.dotSegment(place)) { try text("/\(".")./x") }
        let second = RequestPathError.Place(value: "{2}", path: "/{1}/{2}")
        #expect(throws: RequestPathError.dotSegment(second)) { try text("/\("x")/\(encoded: "y/..")") }
    }

    @Test(arguments: [
        ("/a#b#c", "a#b%23c"), ("a#b?c/../#", "a#b?c/../%23"), ("a?b?c#d", "a?b?c#d"), ("a?b#c#d", "a?b#c%23d"),
    ])
    func beginsOneFragmentOnly(text encoded: String, result: String) throws {
        #expect(try text(RequestPath(stringLiteral: encoded)) == "https://h/v1/" + result)
        #expect(try text("\(encoded: encoded)") == "https://h/v1/" + result)
        // Foundation would escape a second `#` itself, so what it is given counts.
        for role in [ReferenceWriter.Role.literal, .segment, .segments, .other] {
            var writer = ReferenceWriter(base: "https://h/v1", capacity: 0)
            try writer.append(encoded, as: role)
            try writer.finish()
            #expect(String(decoding: writer.bytes, as: UTF8.self) == "https://h/v1/" + result)
        }
    }

    @Test func dropsTheFirstSlashBehindAnExpressionThatIsNothing() throws {
        let path = try RequestPath.template("{/id}/users", variables: [:])
        for base in ["https://h/v1", "https://h/v1/"] { #expect(try text(path, base: base) == "https://h/v1/users") }
    }
}
