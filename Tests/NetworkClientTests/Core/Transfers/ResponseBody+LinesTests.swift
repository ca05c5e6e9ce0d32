import Foundation
import Testing

@testable import NetworkClient

struct ResponseBodyLinesTests {
    private func lines(of chunks: [String]) -> [String] {
        var splitter = LineSplitter()
        var lines: [String] = []
        for chunk in chunks {
            splitter.append(Data(chunk.utf8))
            while let line = splitter.nextText() { lines.append(line) }
        }
        return lines + (splitter.endText().map { [$0] } ?? [])
    }

    private static let texts: [(String, [String])] = [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r", ["a"]), ("a\r\n", ["a"]),
        ("a\nb\rc\r\nd", ["a", "b", "c", "d"]), ("\n\n", ["", ""]), ("\r\r\n\n", ["", "", ""]),
        ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]),
        ("é\n漢\r\n", ["é", "漢"]),
    ]

    @Test(arguments: texts)
    func aLineEndsAtEachKindOfLineEnding(text: String, expected: [String]) {
        expect(lines(of: [text]), expected)
        // The lines do not depend on the chunks.
        let bytes = Array(text.utf8)
        var splitter = LineSplitter()
        var found: [String] = []
        for byte in bytes {
            splitter.append(Data([byte]))
            while let line = splitter.nextText() { found.append(line) }
        }
        expect(found + (splitter.endText().map { [$0] } ?? []), expected)
    }

    /// A live stream may send the next byte much later.
    @Test func aLineThatEndsWithACRIsReturnedBeforeTheNextByte() {
        var splitter = LineSplitter()
        splitter.append(Data("a\r".utf8))
        expectAll((splitter.nextText(), splitter.nextText(), splitter.pendingCount), ("a", nil, 0))
        splitter.append(Data())
        splitter.append(Data("\n".utf8))
        expectAll((splitter.nextText(), splitter.pendingCount), (nil, 0))
        splitter.append(Data("b\r".utf8))
        expect(splitter.nextText(), "b")
        splitter.append(Data("c\n\n".utf8))
        expectAll((splitter.nextText(), splitter.nextText(), splitter.nextText()), ("c", "", nil))
        expect(splitter.endText(), nil)
    }

    @Test func theBytesOfAnIncompleteLineAreCounted() {
        var splitter = LineSplitter()
        splitter.append(Data("a\nbcd".utf8))
        expectAll((splitter.nextText(), splitter.nextText()), ("a", nil))
        expect(splitter.pendingCount, 3)
    }

    @Test func invalidBytesOfALineAreReplaced() {
        var splitter = LineSplitter()
        splitter.append(Data([0x61, 0xFF, 0x0A]))
        expect(splitter.nextText(), "a\u{FFFD}")
    }
}

extension LineSplitter {
    fileprivate mutating func nextText() -> String? { next { String(decoding: $0, as: UTF8.self) } }
    fileprivate mutating func endText() -> String? { end { String(decoding: $0, as: UTF8.self) } }
}
