/// The bytes of a piece of a URL with its escapes undone (WHATWG URL, percent-decode); a `%` that begins none stays.
package struct PercentDecoder: Sequence, IteratorProtocol {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// Decodes bytes that outlive the decoder.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    package mutating func next() -> UInt8? {
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        index += 1
        guard byte == UInt8(ascii: "%"), bytes.count - index >= 2,
            let high = Self.digit(bytes[index]), let low = Self.digit(bytes[index + 1])
        else { return byte }
        index += 2
        return high << 4 | low
    }

    /// The text; as it is written where its escapes are not UTF-8, so that nothing is lost.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
        let decoded = Array(PercentDecoder(bytes))
        let text = String(decoding: decoded, as: UTF8.self)
        // What is not UTF-8 has been replaced by other bytes.
        return text.utf8.elementsEqual(decoded) ? text : String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
