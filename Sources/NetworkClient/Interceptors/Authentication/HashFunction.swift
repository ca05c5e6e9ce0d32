/// The hash functions of RFC 7616, from the weakest to the strongest.
///
/// MD5 proves nothing about who wrote a text, but is what most servers with Digest authentication offer.
enum HashFunction: String, Sendable, CaseIterable {
    case md5 = "MD5"
    case sha256 = "SHA-256"
    case sha512256 = "SHA-512-256"

    /// Returns the hash of a text in UTF-8, as lowercase hexadecimal digits.
    func callAsFunction(_ text: String) -> String { callAsFunction(Array(text.utf8)) }

    func callAsFunction(_ bytes: [UInt8]) -> String {
        let hash =
            switch self {
            case .md5: Self.md5(bytes)
            case .sha256: Self.sha256(bytes)
            case .sha512256: Self.sha512256(bytes)
            }
        return String(decoding: hash.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// RFC 1321.
    private static func md5(_ bytes: [UInt8]) -> [UInt8] {
        let message = padded(bytes, blockSize: 64, isBigEndian: false)
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
        var hash = SHA2<UInt32>(
            sum: [
                0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
            ],
            steps: 64,
            rotations: .init(early: (7, 18, 3), late: (17, 19, 10), e: (6, 11, 25), a: (2, 13, 22))
        )
        hash.add(padded(bytes, blockSize: 64))
        return hash.bytes
    }

    /// SHA-512/256, which has other initial values than SHA-512 (FIPS 180-4 §6.7): it is not SHA-512 cut short, as in
    /// the example of RFC 7616 §3.9.2 (erratum 4897).
    private static func sha512256(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA2<UInt64>(
            sum: [
                0x2231_2194_FC2B_F72C, 0x9F55_5FA3_C84C_64C2, 0x2393_B86B_6F53_B151, 0x9638_7719_5940_EABD,
                0x9628_3EE2_A88E_FFE3, 0xBE5E_1E25_5386_3992, 0x2B01_99FC_2C85_B8AA, 0x0EB7_2DDC_81C5_2CA2,
            ],
            steps: 80,
            rotations: .init(early: (1, 8, 7), late: (19, 61, 6), e: (14, 18, 41), a: (28, 34, 39))
        )
        hash.add(padded(bytes, blockSize: 128))
        return Array(hash.bytes.prefix(32))
    }

    /// Returns the bytes with a 1 bit, zeros, and their number of bits at the end of a block.
    private static func padded(_ bytes: [UInt8], blockSize: Int, isBigEndian: Bool = true) -> [UInt8] {
        let bits = UInt64(truncatingIfNeeded: bytes.count) &* 8
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (isBigEndian ? 56 - $0 * 8 : $0 * 8)) }
        // The number has 8 bytes in a block of 64 bytes, and 16 in one of 128, of which the first 8 are always 0.
        let room = blockSize / 8
        let rest = (bytes.count + 1 + room) % blockSize
        let zeros = (rest == 0 ? 0 : blockSize - rest) + room - 8
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
}

/// The steps that SHA-256 and SHA-512 have in common (FIPS 180-4 §6.2.2, §6.4.2), with words of 32 or 64 bits.
private struct SHA2<Word: FixedWidthInteger & UnsignedInteger> {
    /// By how many bits words are rotated; the third number of `early` and `late` is that of a shift.
    struct Rotations {
        let early: (Int, Int, Int)
        let late: (Int, Int, Int)
        let e: (Int, Int, Int)
        let a: (Int, Int, Int)
    }

    private var sum: [Word]
    private let steps: Int
    private let rotations: Rotations
    private let constants: [Word]

    init(sum: [Word], steps: Int, rotations: Rotations) {
        self.sum = sum
        self.steps = steps
        self.rotations = rotations
        constants = sha2Constants.prefix(steps).map { Word(truncatingIfNeeded: $0 >> (64 - Word.bitWidth)) }
    }

    /// The sum, the highest byte of each word first.
    var bytes: [UInt8] {
        sum.flatMap { word in
            stride(from: Word.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// Adds whole blocks of 16 words.
    mutating func add(_ message: [UInt8]) {
        let size = Word.bitWidth / 8
        var words = [Word](repeating: 0, count: steps)
        for start in stride(from: 0, to: message.count, by: 16 * size) {
            for index in 0..<16 {
                let first = start + index * size
                words[index] = message[first..<first + size].reduce(0) { $0 << 8 | Word($1) }
            }
            for index in 16..<steps {
                let (early, late) = (words[index - 15], words[index - 2])
                let (first, second) = (rotations.early, rotations.late)
                let mixedEarly = rotated(early, first.0) ^ rotated(early, first.1) ^ early >> first.2
                let mixedLate = rotated(late, second.0) ^ rotated(late, second.1) ^ late >> second.2
                words[index] = words[index - 16] &+ mixedEarly &+ words[index - 7] &+ mixedLate
            }
            addBlock(words)
        }
    }

    private mutating func addBlock(_ words: [Word]) {
        var (a, b, c, d, e, f, g, h) = (sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7])
        for step in 0..<steps {
            let choice = e & f ^ ~e & g
            let majority = a & b ^ a & c ^ b & c
            let total = h &+ mixed(e, rotations.e) &+ choice &+ constants[step] &+ words[step]
            (h, g, f, e) = (g, f, e, d &+ total)
            (d, c, b, a) = (c, b, a, total &+ mixed(a, rotations.a) &+ majority)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { sum[index] &+= value }
    }

    private func mixed(_ word: Word, _ counts: (Int, Int, Int)) -> Word {
        rotated(word, counts.0) ^ rotated(word, counts.1) ^ rotated(word, counts.2)
    }

    private func rotated(_ word: Word, _ count: Int) -> Word { word >> count | word << (Word.bitWidth - count) }
}

/// The first 64 bits of the fractions of the cube roots of the first 80 primes.
///
/// SHA-256 uses the first 32 bits of the first 64.
private let sha2Constants: [UInt64] = [
    0x428A_2F98_D728_AE22, 0x7137_4491_23EF_65CD, 0xB5C0_FBCF_EC4D_3B2F, 0xE9B5_DBA5_8189_DBBC,
    0x3956_C25B_F348_B538, 0x59F1_11F1_B605_D019, 0x923F_82A4_AF19_4F9B, 0xAB1C_5ED5_DA6D_8118,
    0xD807_AA98_A303_0242, 0x1283_5B01_4570_6FBE, 0x2431_85BE_4EE4_B28C, 0x550C_7DC3_D5FF_B4E2,
    0x72BE_5D74_F27B_896F, 0x80DE_B1FE_3B16_96B1, 0x9BDC_06A7_25C7_1235, 0xC19B_F174_CF69_2694,
    0xE49B_69C1_9EF1_4AD2, 0xEFBE_4786_384F_25E3, 0x0FC1_9DC6_8B8C_D5B5, 0x240C_A1CC_77AC_9C65,
    0x2DE9_2C6F_592B_0275, 0x4A74_84AA_6EA6_E483, 0x5CB0_A9DC_BD41_FBD4, 0x76F9_88DA_8311_53B5,
    0x983E_5152_EE66_DFAB, 0xA831_C66D_2DB4_3210, 0xB003_27C8_98FB_213F, 0xBF59_7FC7_BEEF_0EE4,
    0xC6E0_0BF3_3DA8_8FC2, 0xD5A7_9147_930A_A725, 0x06CA_6351_E003_826F, 0x1429_2967_0A0E_6E70,
    0x27B7_0A85_46D2_2FFC, 0x2E1B_2138_5C26_C926, 0x4D2C_6DFC_5AC4_2AED, 0x5338_0D13_9D95_B3DF,
    0x650A_7354_8BAF_63DE, 0x766A_0ABB_3C77_B2A8, 0x81C2_C92E_47ED_AEE6, 0x9272_2C85_1482_353B,
    0xA2BF_E8A1_4CF1_0364, 0xA81A_664B_BC42_3001, 0xC24B_8B70_D0F8_9791, 0xC76C_51A3_0654_BE30,
    0xD192_E819_D6EF_5218, 0xD699_0624_5565_A910, 0xF40E_3585_5771_202A, 0x106A_A070_32BB_D1B8,
    0x19A4_C116_B8D2_D0C8, 0x1E37_6C08_5141_AB53, 0x2748_774C_DF8E_EB99, 0x34B0_BCB5_E19B_48A8,
    0x391C_0CB3_C5C9_5A63, 0x4ED8_AA4A_E341_8ACB, 0x5B9C_CA4F_7763_E373, 0x682E_6FF3_D6B2_B8A3,
    0x748F_82EE_5DEF_B2FC, 0x78A5_636F_4317_2F60, 0x84C8_7814_A1F0_AB72, 0x8CC7_0208_1A64_39EC,
    0x90BE_FFFA_2363_1E28, 0xA450_6CEB_DE82_BDE9, 0xBEF9_A3F7_B2C6_7915, 0xC671_78F2_E372_532B,
    0xCA27_3ECE_EA26_619C, 0xD186_B8C7_21C0_C207, 0xEADA_7DD6_CDE0_EB1E, 0xF57D_4F7F_EE6E_D178,
    0x06F0_67AA_7217_6FBA, 0x0A63_7DC5_A2C8_98A6, 0x113F_9804_BEF9_0DAE, 0x1B71_0B35_131C_471B,
    0x28DB_77F5_2304_7D84, 0x32CA_AB7B_40C7_2493, 0x3C9E_BE0A_15C9_BEBC, 0x431D_67C4_9C10_0D4C,
    0x4CC5_D4BE_CB3E_42B6, 0x597F_299C_FC65_7E2A, 0x5FCB_6FAB_3AD6_FAEC, 0x6C44_198C_4A47_5817,
]
