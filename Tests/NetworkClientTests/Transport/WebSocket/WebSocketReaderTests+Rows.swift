import Foundation
import Testing

@testable import NetworkClient

/// What a server sends, and what is read; each row is read whole, and split anywhere.
extension WebSocketReaderTests {
    /// A case of the Autobahn suite by its name, or of a section of RFC 6455.
    ///
    /// The suite's cases that differ only in how the bytes are split are one row.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let reading: Reading
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

    static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        frame(8, [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + reason)
    }

    /// The frames of a message in portions of so many bytes.
    private static func fragments(_ payload: [UInt8], of count: Int) -> [UInt8] {
        stride(from: 0, to: payload.count, by: count).flatMap { start in
            let portion = Array(payload[start...].prefix(count))
            return frame(start == 0 ? 1 : 0, portion, isFinal: start + count >= payload.count)
        }
    }

    private static func message(_ text: String) -> WebSocketReader.Event { .message(.text(text)) }

    private static func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x2A, count: count) }

    private static func stars(_ count: Int) -> String { String(repeating: "*", count: count) }

    private static func binary(_ count: Int) -> WebSocketReader.Event { .message(.binary(Data(bytes(count)))) }

    private static func ping(_ payload: [UInt8]) -> WebSocketReader.Event { .ping(Data(payload)) }

    private static let normal = WebSocketReader.Event.close(.normal, reason: "")

    /// The last length is that of the eighth cases, too.
    private static let lengths = [0, 125, 126, 127, 128, 65_535, 65_536].enumerated().flatMap { index, count in
        [
            Row("1.1.\(index + 1)", frame(1, bytes(count)), is: Reading([message(stars(count))])),
            Row("1.2.\(index + 1)", frame(2, bytes(count)), is: Reading([binary(count)])),
        ]
    }

    private static let control = [
        Row("2.1", frame(9), is: Reading([ping([])])),
        Row("2.2", frame(9, Array("Hello".utf8)), is: Reading([ping(Array("Hello".utf8))])),
        Row("2.3", frame(9, [0, 0xFF, 0xFE]), is: Reading([ping([0, 0xFF, 0xFE])])),
        Row("2.4 and 2.6", frame(9, bytes(125)), is: Reading([ping(bytes(125))])),
        Row("2.5", frame(9, bytes(126)), is: Reading(code: 1002)),
        Row("2.7", frame(10), close(1000), is: Reading([.pong(Data()), normal])),
        Row("2.8", frame(10, [1]), close(1000), is: Reading([.pong(Data([1])), normal])),
        Row("2.9", frame(10, [1]), frame(9, [2]), is: Reading([.pong(Data([1])), ping([2])])),
        Row("2.10 and 2.11", (0..<10).flatMap { frame(9, [$0]) }, is: Reading((0..<10).map { ping([$0]) })),
        Row("5.5.1", frame(8, isFinal: false), is: Reading(code: 1002)),
    ]

    private static let framing = [
        Row("3.1", frame(1, [0x61], bits: 0x10), is: Reading(code: 1002)),
        Row("3.2", text("a"), frame(1, [0x61], bits: 0x20), frame(9), is: Reading([message("a")], code: 1002)),
        Row("3.3", text("a"), frame(1, [0x61], bits: 0x30), frame(9), is: Reading([message("a")], code: 1002)),
        Row("3.4", text("a"), frame(1, [0x61], bits: 0x40), frame(9), is: Reading([message("a")], code: 1002)),
        Row("3.5", frame(2, [0xFF], bits: 0x50), is: Reading(code: 1002)),
        Row("3.6", frame(2, [0x61], bits: 0x60), is: Reading(code: 1002)),
        Row("3.7", frame(8, bits: 0x70), is: Reading(code: 1002)),
        Row("5.1 masked", [0x81, 0x81, 1, 2, 3, 4, 0x60], is: Reading(code: 1002)),
        Row("5.2 two bytes for 125", frame(2, bytes(125), form: 2), is: Reading(code: 1002)),
        Row("5.2 eight bytes for 65,535", frame(2, bytes(65_535), form: 8), is: Reading(code: 1002)),
        Row("5.2 64 bits", [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], is: Reading(code: 1002)),
        Row("5.2 63 bits", [0x82, 127, 0x7F] + bytes(7), is: Reading(code: 1009)),
    ]

    /// The unknown opcodes: alone in the first two cases, behind a message in the others.
    private static let opcodes = ([(1, 3), (2, 11)] as [(Int, UInt8)]).flatMap { group, first in
        (0..<5).map { index in
            Row(
                "4.\(group).\(index + 1)",
                index < 2 ? [] : text("a"),
                frame(first + UInt8(index), [[], [1], [], [1], [1]][index]),
                frame(9),
                is: Reading(index < 2 ? [] : [message("a")], code: 1002)
            )
        }
    }

    private static let (begun, rest) = (text("a", isFinal: false), text("b", opcode: 0))

    private static let fragmented = [
        Row("5.1", frame(9, [1], isFinal: false), frame(0, [2]), is: Reading(code: 1002)),
        Row("5.2", frame(10, [1], isFinal: false), frame(0, [2]), is: Reading(code: 1002)),
        Row("5.3 to 5.5", begun, rest, is: Reading([message("ab")])),
        Row("5.6 to 5.8", begun, frame(9, [1]), rest, is: Reading([ping([1]), message("ab")])),
        Row("5.9 to 5.11", rest, text("a"), is: Reading(code: 1002)),
        Row("5.12 to 5.14", text("b", isFinal: false, opcode: 0), text("a"), is: Reading(code: 1002)),
        Row(
            "5.15",
            begun,
            rest,
            text("c", isFinal: false, opcode: 0),
            text("d"),
            is: Reading([message("ab")], code: 1002)
        ),
        Row("5.16", text("b", isFinal: false, opcode: 0), begun, rest, is: Reading(code: 1002)),
        Row("5.17", rest, begun, rest, is: Reading(code: 1002)),
        Row("5.18", begun, text("b"), is: Reading(code: 1002)),
        Row(
            "5.19 and 5.20",
            begun,
            frame(9, [1]),
            text("c", isFinal: false, opcode: 0),
            frame(9, [2]),
            rest,
            is: Reading([ping([1]), ping([2]), message("acb")])
        ),
        Row(
            "5.4 binary",
            frame(2, [1], isFinal: false),
            frame(0, isFinal: false),
            frame(0, [0xFF]),
            is: Reading([.message(.binary(Data([1, 0xFF])))])
        ),
        Row("10.1.1", fragments(bytes(65_536), of: 1_300), is: Reading([message(stars(65_536))])),
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
            is: Reading([ping(bytes(99)), binary(10)]),
            limit: 10
        ),
        Row("none", text(""), text("a"), is: Reading([message("")], code: 1009), limit: 0),
    ]

    /// The message of 7.1.6 is shorter than the suite's.
    private static let closes = [
        Row("7.1.1", text("a"), is: Reading([message("a")])),
        Row("7.1.2", close(1000), frame(8), is: Reading([normal])),
        Row("7.1.3", close(1000), frame(9), is: Reading([normal])),
        Row("7.1.4", close(1000), text("a"), is: Reading([normal])),
        Row("7.1.5", begun, close(1000), rest, is: Reading([normal])),
        Row(
            "7.1.6",
            frame(1, bytes(256)),
            text("a"),
            close(1000),
            frame(9),
            is: Reading([message(stars(256)), message("a"), normal])
        ),
        Row("7.3.1", frame(8), text("a"), is: Reading([.close(.noStatus, reason: "")])),
        Row("7.3.2", frame(8, [0x61]), is: Reading(code: 1002)),
        Row("7.3.3", close(1000), is: Reading([normal])),
        Row("7.3.4", close(1000, Array("bye".utf8)), is: Reading([.close(.normal, reason: "bye")])),
        Row("7.3.5", close(1000, bytes(123)), is: Reading([.close(.normal, reason: stars(123))])),
        Row("7.3.6", close(1000, bytes(124)), is: Reading(code: 1002)),
        Row("7.5.1", close(1000, Array(greek.utf8) + [0xED, 0xA0, 0x80, 0x65]), is: Reading(code: 1007)),
    ]

    private static func named(_ group: String, _ codes: [UInt16]) -> [(name: String, code: UInt16)] {
        codes.enumerated().map { ("\(group)\($0 + 1), \($1)", $1) }
    }

    private static let closeCodes =
        (named("7.7.", [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])
        + named("7.4.1 registered ", [1012, 1013, 1014]))
        .map { Row($0.name, close($0.code), is: Reading([.close(WebSocketCloseCode(rawValue: $0.code), reason: "")])) }
        + (named("7.9.", [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999])
        + named("7.13.", [5000, 65_535]) + named("7.4.1 reserved ", [1015]))
        .map { Row($0.name, close($0.code), is: Reading(code: 1002)) }

    private static let greek = "κ\u{1F79}σμε"
    private static let greeting = "Hello-µ@ßöäüàá-UTF-8!!"
    private static let wrong = Array(greek.utf8) + [0xED, 0xA0, 0x80] + Array("edited".utf8)
    private static let tooHigh = Array(greek.utf8) + [0xF4, 0x90, 0x80, 0x80] + Array("edited".utf8)

    /// 6.4.3 and 6.4.4 are of one frame: see `aWrongByteOfALongTextEndsItAtOnce`.
    private static let texts = [
        Row("6.1.1", text(""), is: Reading([message("")])),
        Row(
            "6.1.2",
            text("", isFinal: false),
            text("", isFinal: false, opcode: 0),
            text("", opcode: 0),
            is: Reading([message("")])
        ),
        Row(
            "6.1.3",
            text("", isFinal: false),
            text("a", isFinal: false, opcode: 0),
            text("", opcode: 0),
            is: Reading([message("a")])
        ),
        Row("6.2.1", text(greeting), is: Reading([message(greeting)])),
        Row("6.2.2", fragments(Array(greeting.utf8), of: 15), is: Reading([message(greeting)])),
        Row("6.2.3", fragments(Array(greeting.utf8), of: 1), is: Reading([message(greeting)])),
        Row("6.2.4", fragments(Array(greek.utf8), of: 1), is: Reading([message(greek)])),
        Row("6.3.1", frame(1, wrong), is: Reading(code: 1007)),
        Row("6.3.2", fragments(wrong, of: 1), is: Reading(code: 1007)),
        Row("6.4.1", fragments(tooHigh, of: 11), is: Reading(code: 1007)),
        Row("6.4.2", fragments(tooHigh, of: 12), is: Reading(code: 1007)),
        Row("8.1 within a character", frame(1, [0x61, 0xC3, 0x61]), is: Reading(code: 1007)),
        Row("8.1 at the end of eight bytes", text("1234567é9"), is: Reading([message("1234567é9")])),
    ]

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }

    /// Each byte, followed by a space.
    private static func lonely(_ bytes: Range<UInt8>) -> String { hex(bytes.flatMap { [$0, 0x20] }) }

    /// The cases from 6.5.1 on: those of a group in one line, in hexadecimal digits, and with a mark if they are no
    /// UTF-8.
    private static let sequences: [Row] =
        ([
            """
            68656c6c6f24776f726c64 68656c6c6fc2a2776f726c64 68656c6c6fe282ac776f726c64 \
            68656c6c6ff0a4ada2776f726c64 cebae1bdb9cf83cebcceb5
            """,
            """
            !ce ceba !cebae1 !cebae1bd cebae1bdb9 !cebae1bdb9cf cebae1bdb9cf83 !cebae1bdb9cf83ce \
            cebae1bdb9cf83cebc !cebae1bdb9cf83cebcce cebae1bdb9cf83cebcceb5
            """,
            "00 c280 e0a080 f0908080",
            "!f888808080 !fc8480808080",
            "7f dfbf efbfbf f48fbfbf",
            "!f7bfbfbf !fbbfbfbfbf !fdbfbfbfbfbf",
            "ed9fbf ee8080 efbfbd f48fbfbf !f4908080",
            "!80 !bf !80bf !80bf80 !80bf80bf !80bf80bf80 !80bf80bf80bf !\(hex(0x80..<0xBF))",
            """
            !\(lonely(0xC0..<0xDF)) !\(lonely(0xE0..<0xEF)) !\(lonely(0xF0..<0xF7)) !\(lonely(0xF8..<0xFB)) \
            !\(lonely(0xFC..<0xFD))
            """,
            "!c0 !e080 !f08080 !f8808080 !fc80808080 !df !efbf !f7bfbf !fbbfbfbf !fdbfbfbfbf",
            "!c0e080f08080f8808080fc80808080dfefbff7bfbffbbfbfbffdbfbfbfbf",
            "!fe !ff !fefeffff",
            "!c0af !e080af !f08080af !f8808080af !fc80808080af",
            "!c1bf !e09fbf !f08fbfbf !f887bfbfbf !fc83bfbfbfbf",
            "!c080 !e08080 !f0808080 !f880808080 !fc8080808080",
            "!eda080 !edadbf !edae80 !edafbf !edb080 !edbe80 !edbfbf",
            """
            !eda080edb080 !eda080edbfbf !edadbfedb080 !edadbfedbfbf !edae80edb080 !edae80edbfbf !edafbfedb080 \
            !edafbfedbfbf
            """,
            """
            efbfbe efbfbf f09fbfbe f09fbfbf f0afbfbe f0afbfbf f0bfbfbe f0bfbfbf f18fbfbe f18fbfbf f19fbfbe \
            f19fbfbf f1afbfbe f1afbfbf f1bfbfbe f1bfbfbf f28fbfbe f28fbfbf f29fbfbe f29fbfbf f2afbfbe f2afbfbf \
            f2bfbfbe f2bfbfbf f38fbfbe f38fbfbf f39fbfbe f39fbfbf f3afbfbe f3afbfbf f3bfbfbe f3bfbfbf f48fbfbe \
            f48fbfbf
            """,
            "efbfb9 efbfba efbfbb efbfbc efbfbd efbfbe efbfbf",
        ] as [String]).enumerated().flatMap { group, line in
            line.split(separator: " ").enumerated().map { index, word in
                let digits = word.drop { $0 == "!" }
                let payload = stride(from: 0, to: digits.count, by: 2).map { start in
                    UInt8(digits.dropFirst(start).prefix(2), radix: 16) ?? 0
                }
                let valid = Reading([message(String(decoding: payload, as: UTF8.self))])
                let reading = digits.count == word.count ? valid : Reading(code: 1007)
                return Row("6.\(group + 5).\(index + 1)", frame(1, payload), is: reading)
            }
        }

    static let rows =
        lengths + control + framing + opcodes + fragmented + limits + closes + closeCodes + texts + sequences
}
