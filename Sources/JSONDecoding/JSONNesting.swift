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
    /// Invalid JSON is left to the decoder. JSON5 also has strings in single quotes, and comments.
    package static func check(_ json: Data, isJSON5: Bool = false) throws(DecodingError) {
        guard unsafe json.withUnsafeBytes(unsafe canBeTooDeep) else { return }
        let text = JSONTextEncoding.utf8(json) ?? json
        guard unsafe text.withUnsafeBytes({ unsafe isTooDeep($0, isJSON5) }) else { return }
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

    private static func isTooDeep(_ bytes: UnsafeRawBufferPointer, _ isJSON5: Bool) -> Bool {
        var (depth, index) = (0, 0)
        while index < bytes.count {
            let byte = unsafe bytes[index]
            switch byte {
            case UInt8(ascii: "\""): index = unsafe end(of: byte, in: bytes, from: index + 1)
            case UInt8(ascii: "'") where isJSON5: index = unsafe end(of: byte, in: bytes, from: index + 1)
            case UInt8(ascii: "/") where isJSON5: index = unsafe endOfComment(in: bytes, from: index)
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            if depth > maxDepth { return true }
            index += 1
        }
        return false
    }

    /// Returns the index of a string's closing quote, or the end of the text if the string has no closing quote.
    private static func end(of quote: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < bytes.count, unsafe bytes[index] != quote {
            unsafe index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    /// Returns the index of the last byte of a comment, or the end of the text if it has none; the index itself if no
    /// comment begins there.
    private static func endOfComment(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start + 2
        switch start + 1 < bytes.count ? unsafe bytes[start + 1] : 0 {
        case UInt8(ascii: "/"):
            while index < bytes.count, unsafe bytes[index] != 0x0A, unsafe bytes[index] != 0x0D { index += 1 }
        case UInt8(ascii: "*"):
            let (star, slash) = (UInt8(ascii: "*"), UInt8(ascii: "/"))
            index += 1
            while index < bytes.count, unsafe bytes[index - 1] != star || bytes[index] != slash { index += 1 }
        default: return start
        }
        return index
    }
}
