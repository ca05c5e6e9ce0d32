import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// What a server may send over a WebSocket, and what it may not, split anywhere.
@Suite(.spec(313)) struct WebSocketReaderTests {
    /// What comes out of a reader: events, and the code with which the client closes after a broken rule.
    struct Reading: Hashable {
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

    /// 6.4.3 and 6.4.4: neither the rest of the frame nor its end is awaited.
    @Test(arguments: [Array("κ\u{1F79}σμε".utf8) + [0xF4, 0x90], [0xFF], [0xED, 0xA0]])
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
