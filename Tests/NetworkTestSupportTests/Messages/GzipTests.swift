import NetworkTestSupport
import Testing

struct GzipTests {
    @Test func gzipStoresBytesUncompressed() {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        // The checksum of these nine digits is the one that every description of CRC-32 gives.
        let block: [UInt8] = [1, 9, 0, 0xF6, 0xFF] + "123456789".utf8
        #expect(Gzip.stored("123456789") == header + block + [0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0])
        #expect(Gzip.stored("") == header + [1, 0, 0, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 8))
    }

    @Test func gzipUsesABlockForEach64KB() {
        let bytes = [UInt8](repeating: 7, count: 0xFFFF + 1)
        #expect(Gzip.stored(bytes).count == 10 + 5 + 0xFFFF + 5 + 1 + 8)
        #expect(Gzip.stored(bytes)[10] == 0)
    }

    @Test func aGzipBombIsSmall() {
        #expect(Gzip.bomb(decodedLength: 1 << 20).count < 1 << 13)
    }
}
