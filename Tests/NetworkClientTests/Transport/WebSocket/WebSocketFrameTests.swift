import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// What a client sends, and how a server shows that it has read the key.
@Suite(.spec(313)) struct WebSocketFrameTests {
    /// RFC 6455 §5.7: a masked "Hello".
    @Test func aFrameIsMaskedWithItsKey() {
        let key = ([0x37, 0xFA, 0x21, 0x3D] as [UInt8]).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        let frame = Array("Hello".utf8).withUnsafeBytes { WebSocketFrame.bytes(.text, $0, key: key) }
        expect(frame, [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    }

    @Test(arguments: [0, 1, 7, 8, 9, 15, 125, 126, 127, 65_535, 65_536, 65_537])
    func aFrameHasTheShortestFormOfItsLength(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let frame = payload.withUnsafeBytes { WebSocketFrame.bytes(.binary, $0, key: 0x0102_0304) }
        let form = count < 126 ? 0 : count < 1 << 16 ? 2 : 8
        let length = frame[2..<2 + form].reduce(0) { $0 << 8 | Int($1) }
        expect(frame[0], 0x82)
        expect(Int(frame[1]), 0x80 | (form == 0 ? count : form == 2 ? 126 : 127))
        expect(length, form == 0 ? 0 : count)
        let key = Array(frame[2 + form..<6 + form])
        let unmasked = frame[(6 + form)...].enumerated().map { $1 ^ key[$0 & 3] }
        expect(unmasked, payload)
    }

    @Test(arguments: [
        (String(repeating: "é", count: 70), String(repeating: "é", count: 61)),
        (String(repeating: "a", count: 123), String(repeating: "a", count: 123)),
        (String(repeating: "a", count: 124), String(repeating: "a", count: 123)),
        (String(repeating: "a", count: 121) + "😀", String(repeating: "a", count: 121)), ("", ""),
    ])
    func aReasonIsCutBeforeACharacter(reason: String, sent: String) {
        let frame = WebSocketFrame.close(.normal, reason: reason, key: 0xFFFF_FFFF)
        let payload = frame.dropFirst(6).map { ~$0 }
        expect(Array(frame.prefix(2)), [0x88, 0x80 | UInt8(2 + sent.utf8.count)])
        expect(Array(payload.prefix(2)), [0x03, 0xE8])
        expect(String(decoding: payload.dropFirst(2), as: UTF8.self), sent)
    }

    @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 2999, 5000, .max] as [UInt16])
    func aCodeThatIsNeverSentIsLeftOut(code: UInt16) {
        let frame = WebSocketFrame.close(WebSocketCloseCode(rawValue: code), reason: "a", key: 0)
        expect(frame, [0x88, 0x80, 0, 0, 0, 0])
    }

    /// Examples of FIPS 180-4 and of RFC 6455 §1.3, and lengths at which the padding changes.
    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        ("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11", "b37a4f2cc0624f1690f64606cf385945b2bec4ea"),
        (String(repeating: "a", count: 55), "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ])
    func aDigestIsTheOneOfItsStandard(text: String, digest: String) {
        expect(SHA1.digest(of: text.utf8).map { String(Int($0) + 256, radix: 16).suffix(2) }.joined(), digest)
    }
}
