import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MultipartFormPartsTests {
    enum Kind: CaseIterable, Sendable {
        case one, two, none
    }

    /// The values of a form's parts, each of which is a text.
    private func values(@MultipartFormParts of parts: () throws -> [MultipartPart]) throws -> [String] {
        let form = MultipartForm(boundary: try MultipartBoundary("B"), parts: try parts())
        return try form.content().text.components(separatedBy: "\r\n\r\n").dropFirst()
            .map { String($0.prefix { !$0.isNewline }) }
    }

    private func part(_ text: String) -> MultipartPart {
        MultipartPart(name: "n", text: text)
    }

    @Test(.spec(51)) func aFormCanBeEmpty() throws {
        #expect(try values {} == [])
    }

    @Test(.spec(50)) func partsStandInTheirOrder() throws {
        let more = [part("3"), part("4")]
        #expect(
            try values {
                part("1")
                part("2")
                more
                part("5")
            } == ["1", "2", "3", "4", "5"]
        )
    }

    @Test(arguments: [true, false]) func conditionsLeavePartsOut(isThere: Bool) throws {
        let optional = isThere ? part("optional") : nil
        let written = try values {
            if isThere { part("if") }
            if isThere {
                part("then")
            } else {
                part("else")
                part("else too")
            }
            optional
            if let optional { optional }
            if #available(macOS 99, iOS 99, tvOS 99, watchOS 99, visionOS 99, *), !isThere { part("available") }
        }
        #if canImport(Darwin)
        let available: [String] = []
        #else
        let available = ["available"]
        #endif
        #expect(written == (isThere ? ["if", "then", "optional", "optional"] : ["else", "else too"] + available))
    }

    @Test(arguments: Kind.allCases) func casesChoose(kind: Kind) throws {
        let written = try values {
            switch kind {
            case .one: part("1")
            case .two:
                part("1")
                part("2")
            case .none: []
            }
        }
        #expect(written == [Kind.one: ["1"], .two: ["1", "2"], .none: []][kind])
    }

    @Test func loopsRepeat() throws {
        let written = try values {
            for number in 1...3 {
                part("\(number)")
                if number == 2 { part("two") }
            }
            for _ in 0..<0 { part("never") }
        }
        #expect(written == ["1", "2", "two", "3"])
    }

    @Test func passesOnWhatAPartThrows() {
        let missing = URL(fileURLWithPath: "/nonexistent/file")
        #expect(throws: MultipartFormFilePart.Error.invalidLocalFile(url: missing)) {
            try MultipartForm {
                part("1")
                try MultipartPart(name: "f", file: .init(file: missing))
            }
        }
    }
}
