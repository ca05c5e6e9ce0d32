#if os(Linux)
import Foundation

/// Changes texts at random, so that most of them are nearly valid.
enum JSONMutations {
    private static let texts = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "fals", "0", "-", "1.5", "e9", "E-3", "1e400", "00",
        "18446744073709551616", "0.1000000000000000055511151231257827", "\\u0041", "\\ud83d\\ude00", "\\ud800", "\\u12",
        "\\x", "\u{1}", " ", "\n", "\t", "         ", "\r\n\r\n\r\n\r\n\t", "00000000000000000000000", "\u{e9}",
        "\u{212a}", "e\u{301}", "\"a\":", "\"a\":1,", "{}", "[]", "[[",
        "{\"\":",
        "\u{feff}", ".", "+", "\"\"", "12345678901234567890123456789012345678901", "-0", "-0.0", "1E5", "super", "_",
    ]
    private static let invalidBytes: [[UInt8]] = [
        [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0], [0xF4, 0x90, 0x80, 0x80], [0x80],
    ]
    private static let fragments = texts.map { Array($0.utf8) } + invalidBytes

    static func mutated(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...text.count, using: &random)
            let end = min(text.count, place + Int.random(in: 0...8, using: &random))
            switch Int.random(in: 0..<7, using: &random) {
            case 0: text.insert(contentsOf: fragments.randomElement(using: &random) ?? [], at: place)
            case 1: text.replaceSubrange(place..<end, with: fragments.randomElement(using: &random) ?? [])
            case 2: text.removeSubrange(place..<end)
            case 3: text.insert(contentsOf: text[place..<end], at: Int.random(in: 0...text.count, using: &random))
            case 4: if place < text.count { text[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
            case 5: if place < text.count { text[place] = UInt8.random(in: 0...255, using: &random) }
            default: if Int.random(in: 0..<4, using: &random) == 0 { text.removeSubrange(place...) }
            }
        }
        return text
    }
}
#endif
