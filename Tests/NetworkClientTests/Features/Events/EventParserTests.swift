import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// The format of event streams, with the cases of web-platform-tests (`eventsource/format-*`) and of LaunchDarkly's
/// contract tests.
struct EventParserTests {
    /// The parts before an event that is too long, and whether there was none.
    private static func read(_ chunks: [Data]) -> (parts: [EventParser.Part], isWhole: Bool) {
        var parser = EventParser(limit: 1 << 16, keepsComments: true)
        var parts: [EventParser.Part] = []
        do {
            for chunk in chunks {
                parser.append(chunk)
                while let part = try parser.next() { parts.append(part) }
            }
            return (parts, true)
        } catch {
            return (parts, false)
        }
    }

    private static func parts(_ chunks: [Data]) -> [EventParser.Part]? {
        let (parts, isWhole) = read(chunks)
        return isWhole ? parts : nil
    }

    /// The parts of a text, which are the same however it is cut.
    private func parts(_ text: Data, _ place: SourceLocation = #_sourceLocation) -> [EventParser.Part] {
        let whole = Self.parts([text]) ?? []
        for length in [1, 2, 3, 7] {
            let cuts = stride(from: 0, to: text.count, by: length).map { Data(text.dropFirst($0).prefix(length)) }
            expect(Self.parts(cuts), whole, sourceLocation: place)
        }
        for cut in 0...text.count {
            expect(Self.parts([Data(text.prefix(cut)), Data(text.dropFirst(cut))]), whole, sourceLocation: place)
        }
        return whole
    }

    private static func message(_ data: String, type: String = "message", id: String = "") -> EventParser.Part {
        .event(ServerSentEvent(type: type, data: data, id: id))
    }

    private static let cases: [(String, [EventParser.Part])] = [
        ("\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n", [message("1"), message("3")]),
        ("\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\ndata:3\n\n", [message("2"), message("3")]),
        (
            "data:1\n:\u{0}\n:\r\ndata:2\n:x\ndata:3\n:data:fail\n: y\ndata:4\n\n",
            ["\u{0}", "", "x", "data:fail", "y"].map { .comment($0) } + [message("1\n2\n3\n4")]
        ),
        ("retry:1000\ndata:test1\n\nid:test\ndata:test2", [.retry(1), message("test1")]),
        ("data:\n\ndata\ndata\n\ndata:test\n\n", [message(""), message("\n"), message("test")]),
        ("event:test\ndata:x\n\ndata:x\n\n", [message("x", type: "test"), message("x")]),
        ("event: \ndata:data\n\n", [message("data")]), ("event:a\n\ndata:b\n\n", [message("b")]),
        (
            "id: 1\ndata: a\n\ndata: b\n\nid:\ndata: c\n\nid: 2\n\nid\ndata: d\n\n",
            [message("a", id: "1"), message("b", id: "1"), message("c"), .id("2"), message("d")]
        ),
        ("id: a\nid: x\u{0}y\ndata: b\n\n", [message("b", id: "a")]),
        (
            "id: \(String(repeating: "x", count: 1_024))\nid: \(String(repeating: "y", count: 1_025))\n\n",
            [.id(String(repeating: "x", count: 1_024))]
        ),
        (
            "data:\u{0}\ndata:  2\rData:1\ndata\u{0}:2\ndata:1\r\u{0}data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n "
                + "data:32\ndata:4\n\n", [message("\u{0}\n 2\n1\n3\n\n4")]
        ),
        ("retry:03000\ndata:x\n\n", [.retry(3), message("x")]),
        ("retry:1000\nretry:2000x\nretry:-1\nretry: \nretry\nretry:1.5\n", [.retry(1)]),
        (
            "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\n\n",
            [.comment("thisisacommentyay"), message("test\n")]
        ),
        ("data:\ttest\rdata: \ndata:test\n\n", [message("\ttest\n\ntest")]),
        ("data:test\r\ndata\ndata:test\r\n\r", [message("test\n\ntest")]), ("data:x\r\r", [message("x")]),
        ("data:a\r\rdata:b\r\n\r\ndata:c\n\n", [message("a"), message("b"), message("c")]),
        ("data:\u{0}\n\n\n\n", [message("\u{0}")]), ("data:ok…é😀\n\n", [message("ok…é😀")]),
        ("data: {\"a\": \"x\u{2028}y\u{85}z\u{2029}\"}\n\n", [message("{\"a\": \"x\u{2028}y\u{85}z\u{2029}\"}")]),
        ("", []), ("\n\n\r\r", []), ("data", []), (":", []), (":x\n", [.comment("x")]),
        ("data: a: b :c\n\n", [message("a: b :c")]), ("DATA: a\nEvent: b\n\n", []),
    ]

    @Test(.spec(220), arguments: cases)
    func aStreamIsReadHoweverItIsCut(text: String, expected: [EventParser.Part]) {
        expect(parts(Data(text.utf8)), expected)
    }

    @Test(.spec(220), arguments: ["\n", "\r\n", "\r"])
    func eachEndOfALineHasTheSameMeaning(end: String) {
        let texts = [
            "data:a||", "data:a|data:b||", "id:1|event:e|data:a||data:b||", ":c||data|data||", "retry:5|data:||",
        ]
        for text in texts {
            let lines = text.replacingOccurrences(of: "|", with: "\n")
            let other = text.replacingOccurrences(of: "|", with: end)
            expect(parts(Data(other.utf8)), parts(Data(lines.utf8)))
        }
    }

    @Test(.spec(220)) func bytesThatAreNotUTF8AreReplaced() {
        let bytes: [UInt8] = Array("data: a".utf8) + [0xFF, 0xC3] + Array("b\n\n".utf8)
        expect(parts(Data(bytes)), [Self.message("a\u{FFFD}\u{FFFD}b")])
    }

    /// An event is given with the byte that ends it, without the next one.
    @Test(.spec(220)) func anEventIsCompleteAtItsLastByte() throws {
        var parser = EventParser()
        for (text, part) in [("data:a\r", nil), ("\r", "a"), ("\ndata:b\n", nil), ("\n", "b")] as [(String, String?)] {
            parser.append(Data(text.utf8))
            expect(try parser.next(), part.map { Self.message($0) })
            if part != nil { expect(try parser.next(), nil) }
        }
    }

    @Test(.spec(224)) func aServerSentEventHasALimitOfBytes() {
        let line = "data:" + String(repeating: "x", count: 40_000) + "\n"
        expect(Self.parts([Data((line + "\n" + line + "\n").utf8)])?.count, 2)
        expect(Self.parts([Data((line + line + "\n").utf8)]), nil)
        expect(Self.parts([Data(line.utf8), Data(line.dropLast().utf8)]), nil)
        expect(Self.parts([Data(String(repeating: ":", count: 70_000).utf8)]), nil)
        // The events before it are given.
        let (parts, isWhole) = Self.read([Data(("data:a\n\n" + line + line).utf8)])
        expect(parts, [Self.message("a")])
        expect(isWhole, false)
    }
}
