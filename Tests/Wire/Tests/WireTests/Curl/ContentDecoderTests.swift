#if os(Linux)
import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct ContentDecoderTests {
    /// The texts in codings for which this machine has a library.
    private static let coded = CodedText.all.filter { ContentDecoder(names: $0.names) != nil }

    private static let concatenable = [CodedText.gzip, .zstd].filter { ContentDecoder(names: $0.names) != nil }

    /// Returns the decoded bytes; nil if the input is invalid.
    private func decode(
        _ bytes: [UInt8],
        as names: [String],
        byteByByte: Bool = false
    ) throws -> (text: String, isAtEnd: Bool)? {
        var decoder = try #require(ContentDecoder(names: names))
        var decoded: [UInt8] = []
        for piece in byteByByte ? bytes.map({ [$0] }) : [bytes] {
            decoder.feed(Data(piece))
            guard let more = read(&decoder, portion: byteByByte ? 1 : 1 << 14) else { return nil }
            decoded += more
        }
        return (String(decoding: decoded, as: UTF8.self), decoder.isAtEnd)
    }

    /// Returns all bytes that are available; nil if the input is invalid.
    private func read(_ decoder: inout ContentDecoder, portion: Int) -> [UInt8]? {
        var decoded: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: portion)
        while true {
            switch buffer.withUnsafeMutableBytes({ decoder.decode(into: $0) }) {
            case .bytes(let count): decoded += buffer[..<count]
            case .nothingYet: continue
            case .needsInput: return decoded
            case .isBroken: return nil
            }
        }
    }

    @Test func gzipIsDecoded() {
        #expect(ContentDecoder(names: ["gzip"]) != nil)
        #expect(ContentCoding.accepted.hasPrefix("gzip, deflate"))
    }

    @Test(arguments: coded)
    func everyCodingIsDecodedAtOnceAndByteByByte(coded: CodedText) throws {
        for byteByByte in [false, true] {
            let result = try #require(try decode(coded.bytes, as: coded.names, byteByByte: byteByByte))
            #expect(result == (CodedText.text, true))
        }
    }

    @Test(arguments: coded)
    func anIncompleteBodyIsDetected(coded: CodedText) throws {
        for count in 1..<coded.bytes.count {
            let result = try #require(try decode(Array(coded.bytes.prefix(count)), as: coded.names))
            #expect(!result.isAtEnd, "after \(count) bytes")
            #expect(CodedText.text.hasPrefix(result.text))
        }
    }

    @Test(arguments: coded)
    func anEmptyBodyIsComplete(coded: CodedText) throws {
        let result = try #require(try decode([], as: coded.names))
        #expect(result == ("", true))
    }

    @Test(arguments: coded)
    func bytesBehindTheEndAreRefused(coded: CodedText) throws {
        #expect(try decode(coded.bytes + [1, 2, 3, 4, 5, 6, 7, 8], as: coded.names) == nil)
    }

    @Test(arguments: concatenable)
    func severalMembersAreDecodedOneAfterTheOther(coded: CodedText) throws {
        for byteByByte in [false, true] {
            let result = try #require(try decode(coded.bytes + coded.bytes, as: coded.names, byteByByte: byteByByte))
            #expect(result == (CodedText.text + CodedText.text, true))
        }
        let partial = try #require(try decode(coded.bytes + coded.bytes.dropLast(), as: coded.names))
        #expect(!partial.isAtEnd)
    }

    @Test(arguments: coded)
    func anInvalidBodyIsRefused(coded: CodedText) throws {
        let result = try decode(Array(repeating: 0xFF, count: 64), as: coded.names)
        #expect(result?.isAtEnd != true)
    }

    @Test(.enabled(if: ContentDecoder(names: ["zstd"]) != nil))
    func aHugeWindowIsRefused() throws {
        #expect(try decode(CodedText.greedyZstd.bytes, as: ["zstd"]) == nil)
    }

    @Test func noMoreBytesAreDecodedThanTheBufferHolds() throws {
        var decoder = try #require(ContentDecoder(names: ["gzip"]))
        decoder.feed(Data(Gzip.bomb(decodedLength: 1 << 24)))
        var buffer = [UInt8](repeating: 0, count: 100)
        for _ in 0..<10 {
            let portion = buffer.withUnsafeMutableBytes { decoder.decode(into: $0) }
            #expect(portion == .bytes(100))
        }
    }

    @Test func aCodingIsKnownByEachOfItsNames() {
        #expect(ContentCoding(name: "X-GZIP") == .gzip)
    }

    @Test(
        .spec(172),
        arguments: [[], ["rot13"], ["gzip", "rot13"], ["x-br"], [""], ["gzip", "gzip"], ["gzip", "br"]]
    )
    func aCodingThatIsNotKnownAndASecondOneAreRefused(names: [String]) {
        #expect(ContentDecoder(names: names) == nil)
    }

    /// Members without content decode to nothing, however many there are.
    @Test(.spec(172)) func aDeadlineIsNoticedBetweenPortionsThatDecodeToNothing() {
        struct TooLate: Error {}
        let members = Data((0..<10_000).flatMap { _ in Gzip.stored("") })
        var checks = 0
        #expect(throws: TooLate.self) {
            try ContentDecoder.decode(members, names: ["gzip"], TransportOptions(bodyLimit: 1)) {
                checks += 1
                if checks == 100 { throw TooLate() }
            }
        }
        #expect(checks == 100)
    }

    @Test(.spec(172)) func aDeadlineIsNoticedBetweenTwoPortionsOfOneStream() {
        var checks = 0
        #expect(throws: CurlFailure.self) {
            try ContentDecoder.decode(
                Data(Gzip.bomb(decodedLength: 1 << 24)),
                names: ["gzip"],
                TransportOptions(bodyLimit: 1 << 23)
            ) {
                checks += 1
            }
        }
        #expect(checks >= 1 << 7, "of a portion of 64 KiB each")
    }
}

extension CodedText {
    fileprivate var names: [String] { coding.split(separator: ", ").map(String.init) }
}
#endif
