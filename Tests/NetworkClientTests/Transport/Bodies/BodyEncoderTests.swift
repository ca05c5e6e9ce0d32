import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct BodyEncoderTests {
    @Test(arguments: [BodyEncoder.Format.gzip, .deflate])
    func whatIsEncodedInPortionsIsDecoded(format: BodyEncoder.Format) throws {
        var numbers = SeededGenerator(seed: 7)
        let noise = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &numbers) })
        var request = URLRequest(url: url("https://h/a"))
        request.setValue(format.rawValue, forHTTPHeaderField: "Content-Encoding")
        for portions in [[0], [1], [65_536, 0], [65_536, 65_536, 1], [3, 0, 5, 60_000]] {
            let encoder = try #require(BodyEncoder(format))
            var (coded, plain) = (Data(), Data())
            for (index, length) in portions.enumerated() {
                let portion = noise.dropFirst(plain.count).prefix(length)
                plain += portion
                coded += try portion.withUnsafeBytes { try encoder.encode($0, isLast: index == portions.count - 1) }
            }
            let decoded = try #require(request.decoded(coded, keeping: 1_000, most: .max))
            expect(decoded.length, plain.count)
            expect(decoded.bytes, plain.prefix(1_000))
            expect(request.decoded(coded.dropLast(), most: .max)?.length, nil)
            expect(request.decoded(coded, most: plain.count - 1)?.length, plain.isEmpty ? 0 : nil)
        }
    }

    /// The frame of platforms whose encoder makes only the compressed bytes, around bytes that aren't compressed.
    @Test(arguments: [0, 1, 5_000]) func theFrameOfRawDeflateIsThatOfTheFormats(length: Int) throws {
        let body = [UInt8]((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 7) })
        let stored = Gzip.stored(body)
        var (gzip, zlib) = (DeflateFrame(.gzip), DeflateFrame(.deflate))
        for part in [body.prefix(100), body.dropFirst(100)] {
            part.withUnsafeBytes { gzip.add($0) }
            part.withUnsafeBytes { zlib.add($0) }
        }
        let blocks = stored.dropFirst(10).dropLast(8)
        expect(gzip.head + blocks + gzip.end, stored)
        var request = URLRequest(url: url("https://h/a"))
        request.setValue("deflate", forHTTPHeaderField: "Content-Encoding")
        expect(request.decoded(Data(zlib.head + blocks + zlib.end), most: .max)?.bytes, Data(body))
    }
}
