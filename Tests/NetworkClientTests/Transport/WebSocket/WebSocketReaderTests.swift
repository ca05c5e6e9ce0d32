import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// What a server may send over a WebSocket, and what it may not, split anywhere.
@Suite(.spec(313)) struct WebSocketReaderTests {
    /// What comes out of a reader: events, and the code with which the client closes after a broken rule.
    fileprivate struct Reading: Hashable {
        var events: [WebSocketReader.Event] = []
        var code: UInt16?

        init(_ events: [WebSocketReader.Event] = [], code: UInt16? = nil) {
            (self.events, self.code) = (events, code)
        }

        init(of portions: [ArraySlice<UInt8>], limit: Int) {
            var reader = WebSocketReader(messageLimit: limit)
            do {
                for portion in portions {
                    // The memory ends with the portion, so that reading beyond it is found.
                    let bytes = Array(portion)
                    try bytes.withUnsafeBytes { bytes in try reader.read(bytes) { events.append($0) } }
                }
            } catch {
                code = (error as? WebSocketReader.Violation)?.code.rawValue
            }
        }
    }

    /// The name is the case of the Autobahn suite if it has one, otherwise the rule's section of RFC 6455.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        fileprivate let reading: Reading
        var limit = 1 << 17

        var testDescription: String { name }

        fileprivate init(_ name: String, _ frames: [UInt8]..., is reading: Reading, limit: Int = 1 << 17) {
            (self.name, bytes, self.reading, self.limit) = (name, Array(frames.joined()), reading, limit)
        }
    }

    /// A frame of a server; `form` is the number of bytes of the length, and the shortest one by default.
    private static func frame(
        _ opcode: UInt8,
        _ payload: [UInt8] = [],
        isFinal: Bool = true,
        bits: UInt8 = 0,
        form: Int? = nil
    ) -> [UInt8] {
        let form = form ?? (payload.count < 126 ? 0 : payload.count < 1 << 16 ? 2 : 8)
        let short = form == 0 ? UInt8(payload.count) : form == 2 ? 126 : 127
        let length = (0..<form).map { UInt8(truncatingIfNeeded: payload.count >> (8 * (form - 1 - $0))) }
        return [(isFinal ? 0x80 : 0) | bits | opcode, short] + length + payload
    }

    private static func text(_ text: String, isFinal: Bool = true, opcode: UInt8 = 1) -> [UInt8] {
        frame(opcode, Array(text.utf8), isFinal: isFinal)
    }

    private static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        frame(8, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + reason)
    }

    private static func message(_ text: String) -> WebSocketReader.Event { .message(.text(text)) }

    private static func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x2A, count: count) }

    private static func binary(_ count: Int) -> WebSocketReader.Event { .message(.binary(Data(bytes(count)))) }

    private static let lengths = [0, 1, 125, 126, 127, 128, 65_535, 65_536].map { count in
        Row("1.2, \(count) bytes", frame(2, bytes(count)), is: Reading([binary(count)]))
    }

    private static let control = [
        Row("1.1.1", text(""), is: Reading([message("")])),
        Row("2.1", frame(9), is: Reading([.ping(Data())])),
        Row("2.4", frame(9, bytes(125)), is: Reading([.ping(Data(bytes(125)))])),
        Row("2.5", frame(9, bytes(126)), is: Reading(code: 1002)),
        Row("2.7", frame(10, [1]), text("a"), is: Reading([.pong(Data([1])), message("a")])),
        Row("5.1", frame(9, [1], isFinal: false), frame(0, [2]), is: Reading(code: 1002)),
        Row("5.2", frame(10, [1], isFinal: false), is: Reading(code: 1002)),
        Row("7.3.1", frame(8), text("a"), is: Reading([.close(.noStatus, reason: "")])),
        Row("7.3.2", frame(8, [3]), is: Reading(code: 1002)),
        Row("7.3.4", close(1000, Array("bye".utf8)), is: Reading([.close(.normal, reason: "bye")])),
        Row(
            "7.3.5",
            close(1000, bytes(123)),
            is: Reading([.close(.normal, reason: String(repeating: "*", count: 123))])
        ),
        Row("7.3.6", close(1000, bytes(124)), is: Reading(code: 1002)),
        Row("7.5.1", close(1000, [0xCE, 0xBA, 0xE1]), is: Reading(code: 1007)),
        Row("5.5.1", frame(8, isFinal: false), is: Reading(code: 1002)),
    ]

    private static let framing = [
        Row("3.1", frame(1, [0x61], bits: 0x10), is: Reading(code: 1002)),
        Row("3.2", text("a"), frame(1, [0x61], bits: 0x20), frame(9), is: Reading([message("a")], code: 1002)),
        Row("3.3", frame(1, [0x61], bits: 0x40), is: Reading(code: 1002)),
        Row("5.1 masked", [0x81, 0x81, 1, 2, 3, 4, 0x60], is: Reading(code: 1002)),
        Row("5.2 two bytes for 125", frame(2, bytes(125), form: 2), is: Reading(code: 1002)),
        Row("5.2 eight bytes for 65,535", frame(2, bytes(65_535), form: 8), is: Reading(code: 1002)),
        Row("5.2 64 bits", [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], is: Reading(code: 1002)),
        Row("5.2 63 bits", [0x82, 127, 0x7F] + bytes(7), is: Reading(code: 1009)),
    ]

    private static let fragments = [
        Row("5.3", text("a", isFinal: false), text("b", opcode: 0), is: Reading([message("ab")])),
        Row(
            "5.6",
            text("a", isFinal: false),
            frame(9, [1]),
            text("b", opcode: 0),
            is: Reading([.ping(Data([1])), message("ab")])
        ),
        Row("5.9", text("a", opcode: 0), is: Reading(code: 1002)),
        Row(
            "5.15",
            text("a", isFinal: false),
            text("b", opcode: 0),
            text("c", opcode: 0),
            is: Reading([message("ab")], code: 1002)
        ),
        Row("5.18", text("a", isFinal: false), text("b"), is: Reading(code: 1002)),
        Row(
            "5.4 binary",
            frame(2, [1], isFinal: false),
            frame(0, isFinal: false),
            frame(0, [0xFF]),
            is: Reading([.message(.binary(Data([1, 0xFF])))])
        ),
        Row("5.4 empty", text("", isFinal: false), text("", opcode: 0), is: Reading([message("")])),
        Row("6.2.3", text("é", isFinal: false), text("€😀", opcode: 0), is: Reading([message("é€😀")])),
        Row("6.2.2", frame(1, [0xC3], isFinal: false), frame(0, [0xA9]), is: Reading([message("é")])),
    ]

    private static let limits = [
        Row("the limit", frame(2, bytes(10)), is: Reading([binary(10)]), limit: 10),
        Row("a byte more", frame(2, bytes(10)), frame(2, bytes(11)), is: Reading([binary(10)], code: 1009), limit: 10),
        Row("in fragments", frame(2, bytes(6), isFinal: false), frame(0, bytes(5)), is: Reading(code: 1009), limit: 10),
        Row(
            "a ping beside",
            frame(2, bytes(10), isFinal: false),
            frame(9, bytes(99)),
            frame(0),
            is: Reading([.ping(Data(bytes(99))), binary(10)]),
            limit: 10
        ),
        Row("none", text(""), text("a"), is: Reading([message("")], code: 1009), limit: 0),
    ]

    private static let opcodes = ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).map { opcode in
        Row("4, opcode \(opcode)", text("a"), frame(opcode), is: Reading([message("a")], code: 1002))
    }

    private static let closeCodes =
        ([1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999] as [UInt16])
        .map { Row("7.7, \($0)", close($0), is: Reading([.close(WebSocketCloseCode(rawValue: $0), reason: "")])) }
        + ([0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16])
        .map { Row("7.9, \($0)", close($0), is: Reading(code: 1002)) }

    /// The tables of Autobahn's group 6: at the edges of what UTF-8 is.
    private static let texts =
        [
            "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{FFFF}",
            "\u{10000}",
            "\u{10FFFF}", "κόσμε", "Hello-µ@ßöäüàá-UTF-8!!", "12345678é", "1234567é9",
        ].map {
            Row("6, \($0.unicodeScalars.map { String($0.value, radix: 16) })", text($0), is: Reading([message($0)]))
        }
        + ([
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC3],
            [0xE2, 0x82],
            [0xF0, 0x9F, 0x98], [0x61, 0xC3, 0x61], [0xCE, 0xBA, 0xED, 0xA0, 0x80, 0x65],
        ] as [[UInt8]]).map { Row("6, \($0)", frame(1, $0), is: Reading(code: 1007)) }

    static let rows = lengths + control + framing + fragments + limits + opcodes + closeCodes + texts

    @Test(arguments: rows)
    func bytesAreReadByTheRules(row: Row) {
        expect(Reading(of: [row.bytes[...]], limit: row.limit), row.reading)
    }

    /// Long rows are split near their ends and their middle only.
    @Test(arguments: rows)
    func aSplitMakesNoDifference(row: Row) {
        let bytes = row.bytes
        let places =
            bytes.count < 300 ? Array(0...bytes.count) : [1, 2, 3, 4, 9, 10, 11, bytes.count / 2, bytes.count - 1]
        for place in places {
            let reading = Reading(of: [bytes[..<place], bytes[place...]], limit: row.limit)
            #expect(reading == row.reading, "at \(place)")
        }
        let single = bytes.indices.map { bytes[$0...$0] }
        expect(Reading(of: single, limit: row.limit), row.reading)
    }

    /// 6.4: neither the rest of the frame nor its end is awaited.
    @Test(arguments: [[0xCE, 0xBA, 0xF4, 0x90], [0xFF], [0xED, 0xA0]] as [[UInt8]])
    func aWrongByteOfALongTextEndsItAtOnce(beginning: [UInt8]) {
        let begun = [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0] + beginning
        expect(Reading(of: [begun[...]], limit: 1 << 17), Reading(code: 1007))
        let ended = begun.dropLast()
        expect(Reading(of: [ended], limit: 1 << 17), Reading())
    }

    @Test func aLongLengthIsRefusedBeforeItsBytes() {
        expect(Reading(of: [[0x82, 127, 0, 0, 0, 0, 0, 2, 0, 1]], limit: 1 << 17), Reading(code: 1009))
    }

    @Test func whatFollowsACloseIsIgnored() {
        let reading = Reading([.close(.normal, reason: "")])
        expect(Reading(of: [(Self.close(1000) + [0xFF, 0xFF])[...], [0xFF]], limit: 100), reading)
    }
}
