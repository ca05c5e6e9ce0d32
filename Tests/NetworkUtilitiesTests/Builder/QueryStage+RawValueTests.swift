import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct QueryStageRawValueTests {
    private let start = URLRequest.get(url: url("https://h/p?s=0"))

    private enum Plain: String { case up = "u p" }
    private enum Coded: Int, Codable { case low = -1 }
    private enum Declared: String, URLTextConvertible { case on }
    private enum Both: String, Codable, URLTextConvertible {
        case on
        var urlText: String { "own \(rawValue)" }
    }

    private func query(_ stage: URLRequest.QueryBuilder) -> String? { stage.build().url?.query }

    /// Compiles as a whole, which is what it is about: no `try`, and no overload is ambiguous.
    @Test(.spec(10)) func takesEnumsWhateverTheyDeclare() {
        let coded: Coded? = .low
        let none: Plain? = nil
        let built =
            start
            .add(query: "a", value: Plain.up)
            .add(query: "b", value: coded)
            .add(query: "c", value: Declared.on)
            .add(query: "d", value: Both.on)
            .add(query: "e", value: none)
        #expect(query(built) == "s=0&a=u%20p&b=-1&c=on&d=own%20on")
    }

    @Test(.spec(10)) func takesArraysOfEnums() {
        let built =
            start
            .add(query: "a", value: [Plain.up, .up])
            .add(query: "b", value: [Coded.low], arrays: .brackets)
            .add(query: "c", value: [Declared.on], arrays: .indices)
            .add(query: "d", value: [Both.on, .on], arrays: .comma)
            .add(query: "e", value: [Both]?.none)
        #expect(query(built) == "s=0&a=u%20p&a=u%20p&b%5B%5D=-1&c%5B0%5D=on&d=own%20on,own%20on")
    }

    @Test(.spec(9)) func replacesByEnums() {
        #expect(query(start.set(query: "s", value: Plain.up)) == "s=u%20p")
        #expect(query(start.set(query: "s", value: Coded.low)) == "s=-1")
        #expect(query(start.set(query: "s", value: Declared.on)) == "s=on")
        #expect(query(start.set(query: "s", value: Both.on)) == "s=own%20on")
        #expect(query(start.set(query: "s", value: [Plain.up], arrays: .brackets)) == "s%5B%5D=u%20p")
        #expect(query(start.set(query: "s", value: [Both.on, .on])) == "s=own%20on&s=own%20on")
        #expect(query(start.set(query: "s", value: Plain?.none)) == nil)
    }

    private static let parts = "s=0&s%5B%5D=1&s%5B0%5D=2&s.k=3&ss=4&%73%5Bk%5D=5"

    @Test(.spec(9)) func anArrayReplacesTheItemsInBracketsAsWell() {
        let before = URLRequest.get(url: url("https://h/p?\(Self.parts)"))
        #expect(query(before.set(query: "s", value: [Plain.up])) == "s.k=3&ss=4&s=u%20p")
        #expect(query(before.set(query: "s", value: [Coded.low], arrays: .brackets)) == "s.k=3&ss=4&s%5B%5D=-1")
        #expect(query(before.set(query: "s", value: [Both.on])) == "s.k=3&ss=4&s=own%20on")
        #expect(query(before.set(query: "s", value: [Declared.on], arrays: .indices)) == "s.k=3&ss=4&s%5B0%5D=on")
        #expect(query(before.set(query: "s", value: [Plain]())) == "s.k=3&ss=4")
        #expect(query(before.set(query: "s", value: [Both]?.none)) == "s.k=3&ss=4")
    }

    @Test(.spec(9)) func aSingleValueReplacesItsVeryNameOnly() {
        let before = URLRequest.get(url: url("https://h/p?\(Self.parts)"))
        let kept = Self.parts.dropFirst("s=0&".count)
        #expect(query(before.set(query: "s", value: Plain.up)) == "\(kept)&s=u%20p")
        #expect(query(before.set(query: "s", value: Both.on)) == "\(kept)&s=own%20on")
        #expect(query(before.set(query: "s", value: Plain?.none)) == String(kept))
        #expect(query(before.set(query: "s", value: Both?.none)) == String(kept))
    }
}
