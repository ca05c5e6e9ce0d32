/// The hash functions of RFC 7616.
///
/// MD5 proves nothing about who wrote a text, but is what most servers with Digest authentication offer.
enum HashFunction: String, Sendable, CaseIterable {
    case md5 = "MD5"
    case sha256 = "SHA-256"

    /// Returns the hash of a text in UTF-8, as lowercase hexadecimal digits.
    func callAsFunction(_ text: String) -> String { callAsFunction(Array(text.utf8)) }

    func callAsFunction(_ bytes: [UInt8]) -> String {
        let hash = self == .md5 ? Self.md5(bytes) : Self.sha256(bytes)
        return String(decoding: hash.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// RFC 1321.
    private static func md5(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt64(truncatingIfNeeded: bytes.count) &* 8
        let message = padded(bytes, (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) })
        var sum: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for start in stride(from: 0, to: message.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(message[start + word * 4 + $1]) << UInt32($1 * 8) }
            }
            addMD5Block(words, to: &sum)
        }
        return sum.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32($0 * 8)) } }
    }

    private static func addMD5Block(_ words: [UInt32], to sum: inout [UInt32]) {
        var (a, b, c, d) = (sum[0], sum[1], sum[2], sum[3])
        for step in 0..<64 {
            let mixed: UInt32
            let index: Int
            switch step / 16 {
            case 0: (mixed, index) = (b & c | ~b & d, step)
            case 1: (mixed, index) = (d & b | ~d & c, (5 * step + 1) % 16)
            case 2: (mixed, index) = (b ^ c ^ d, (3 * step + 5) % 16)
            default: (mixed, index) = (c ^ (b | ~d), 7 * step % 16)
            }
            let total = a &+ mixed &+ md5Constants[step] &+ words[index]
            let shift = md5Shifts[step / 16 * 4 + step % 4]
            (a, d, c, b) = (d, c, b, b &+ (total << shift | total >> (32 - shift)))
        }
        for (index, value) in [a, b, c, d].enumerated() { sum[index] &+= value }
    }

    private static let md5Shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    /// FIPS 180-4 §6.2.
    private static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt64(truncatingIfNeeded: bytes.count) &* 8
        let message = padded(bytes, (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - $0 * 8)) })
        var sum: [UInt32] = [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
        ]
        for start in stride(from: 0, to: message.count, by: 64) {
            let words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(message[start + word * 4 + $1]) }
            }
            addSHA256Block(words, to: &sum)
        }
        return sum.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - $0 * 8)) } }
    }

    private static func addSHA256Block(_ block: [UInt32], to sum: inout [UInt32]) {
        var words = block
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var values = sum
        for step in 0..<64 {
            let (a, b, c, e) = (values[0], values[1], values[2], values[4])
            let choice = e & values[5] ^ ~e & values[6]
            let majority = a & b ^ a & c ^ b & c
            let mixedE = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let mixedA = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let total = values[7] &+ mixedE &+ choice &+ sha256Constants[step] &+ words[step]
            values = [total &+ mixedA &+ majority, a, b, c, values[3] &+ total, e, values[5], values[6]]
        }
        for (index, value) in values.enumerated() { sum[index] &+= value }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// Returns the bytes with a 1 bit, zeros, and the length at the end of a block of 64 bytes.
    private static func padded(_ bytes: [UInt8], _ length: [UInt8]) -> [UInt8] {
        let zeros = (119 - bytes.count % 64) % 64
        return bytes + [0x80] + [UInt8](repeating: 0, count: zeros) + length
    }

    /// The first 32 bits of the sines of 1 to 64.
    private static let md5Constants: [UInt32] = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
        0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
        0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
        0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
        0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
        0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let sha256Constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
