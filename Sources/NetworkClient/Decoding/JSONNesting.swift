import Foundation

/// How deeply the objects and arrays of a JSON text are nested.
///
/// `JSONDecoder` accepts 512 levels. A type that holds itself, such as a comment with replies, takes up to 2.7 KiB of
/// stack for each while it is decoded (Swift 6.3, debug), and threads have 512 KiB on Apple platforms, but for the main
/// one: without a limit, a response can end the process.
enum JSONNesting {
    /// The most levels that are decoded.
    static let greatestDepth = 128

    /// Throws if a text is nested more deeply; whether it is JSON at all is for the decoder to find.
    static func check(_ json: Data) throws(DecodingError) {
        guard json.withUnsafeBytes(canBeTooDeep), isTooDeep(utf8(of: json)) else { return }
        let description = "The JSON is nested deeper than \(greatestDepth) levels."
        throw .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: description))
    }

    /// Whether there are so many brackets and braces.
    ///
    /// Without branches, so that the compiler makes a loop of it that looks at 16 bytes at a time.
    private static func canBeTooDeep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var count = 0
        for byte in bytes { count &+= byte | 0x20 == UInt8(ascii: "{") ? 1 : 0 }
        return count > greatestDepth
    }

    private static func isTooDeep(_ json: Data) -> Bool {
        json.withUnsafeBytes { bytes in
            var (depth, index) = (0, 0)
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""): index = endOfString(in: bytes, from: index + 1)
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
                if depth > greatestDepth { return true }
                index += 1
            }
            return false
        }
    }

    /// The index of the quote that closes a string, or the end of the text where the string is not closed.
    private static func endOfString(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    /// The text in UTF-8: JSON in UTF-16 or UTF-32, which `JSONDecoder` reads as well, has a zero among its first four
    /// bytes or a byte order mark.
    private static func utf8(of json: Data) -> Data {
        let start = json.prefix(4)
        let hasMark = start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE])
        guard hasMark || start.contains(0) else { return json }
        let zeros = start.map { $0 == 0 ? "0" : "x" }.joined()
        let encoding: String.Encoding =
            switch zeros {
            case "000x": .utf32BigEndian
            case "x000": .utf32LittleEndian
            case "xx00", "00xx": .utf32
            case "0x0x", "0xx0": .utf16BigEndian
            case "x0x0", "x0": .utf16LittleEndian
            default: .utf16
            }
        return String(data: json, encoding: encoding).map { Data($0.utf8) } ?? json
    }
}
