/// A limit on the nesting of objects and arrays in JSON.
///
/// `JSONDecoder` accepts 512 levels. Decoding a recursive type, such as a comment with replies, takes up to 3.6 KiB of
/// stack per level (Swift 6.3, debug; 4.2 KiB for an optional array of optionals), and threads other than the main one
/// have 512 KiB on Apple platforms: without a limit, a response can crash the process.
package enum JSONNesting {
    /// The maximum number of levels.
    package static let maxDepth = 128

    /// Throws an error if a text is nested too deeply.
    ///
    /// Invalid JSON is left to the decoder.
    package static func check(_ json: Data) throws(DecodingError) {
        guard unsafe json.withUnsafeBytes(unsafe canBeTooDeep), isTooDeep(utf8(of: json)) else { return }
        throw error
    }

    /// The error for a text that is nested too deeply.
    static var error: DecodingError {
        let description = "The JSON is nested deeper than \(maxDepth) levels."
        return .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: description))
    }

    /// Returns whether there are enough brackets and braces to exceed the limit.
    ///
    /// Contains no branches, so that the compiler vectorises the loop (16 bytes at a time).
    private static func canBeTooDeep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = unsafe bytes.reduce(0) { $0 &+ ($1 | 0x20 == UInt8(ascii: "{") ? 1 : 0) }
        return count > maxDepth
    }

    private static func isTooDeep(_ json: Data) -> Bool {
        unsafe json.withUnsafeBytes { bytes in
            var (depth, index) = (0, 0)
            while index < bytes.count {
                switch unsafe bytes[index] {
                case UInt8(ascii: "\""): index = unsafe endOfString(in: bytes, from: index + 1)
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
                if depth > maxDepth { return true }
                index += 1
            }
            return false
        }
    }

    /// Returns the index of a string's closing quote, or the end of the text if the string has no closing quote.
    private static func endOfString(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < bytes.count, unsafe bytes[index] != UInt8(ascii: "\"") {
            unsafe index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    /// Converts JSON in UTF-16 or UTF-32, which `JSONDecoder` also accepts, to UTF-8.
    ///
    /// Such a text has a zero among its first four bytes, or a byte order mark.
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
