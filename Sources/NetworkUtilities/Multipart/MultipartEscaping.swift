/// How a name, a filename or a text is written in a form (WHATWG HTML, multipart/form-data encoding algorithm).
///
/// It works on UTF-8 bytes: as a `Character`, CR and LF in a row are one. What needs no change is copied in runs.
struct MultipartEscaping: Sendable {
    private let carriageReturn: StaticString
    private let lineFeed: StaticString
    private let quotationMark: StaticString?
    /// What stands for a CR and an LF in a row; nil where each is replaced by itself.
    private let newline: StaticString?

    /// A name: newlines are normalised to CRLF, and then CR, LF and `"`, which would end the parameter, are escaped.
    static let name = MultipartEscaping(
        carriageReturn: "%0D%0A",
        lineFeed: "%0D%0A",
        quotationMark: "%22",
        newline: "%0D%0A"
    )

    /// A filename: CR, LF and `"` are escaped, and nothing else.
    static let filename = MultipartEscaping(
        carriageReturn: "%0D",
        lineFeed: "%0A",
        quotationMark: "%22",
        newline: nil
    )

    /// A text: every CR that no LF follows, and every LF that follows no CR, becomes CRLF.
    static let text = MultipartEscaping(
        carriageReturn: "\r\n",
        lineFeed: "\r\n",
        quotationMark: nil,
        newline: "\r\n"
    )

    /// Appends the text as it is to be written.
    func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &bytes) }
    }

    private func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            // Everything that is ever replaced is at most this byte, which most text is beyond.
            guard byte <= Self.quotationMarkByte, var substitute = substitute(for: byte) else {
                index += 1
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            index += 1
            if byte == Self.carriageReturnByte, let newline, index < text.count, text[index] == Self.lineFeedByte {
                substitute = newline
                index += 1
            }
            bytes.append(literal: substitute)
            start = index
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private func substitute(for byte: UInt8) -> StaticString? {
        switch byte {
        case Self.carriageReturnByte: carriageReturn
        case Self.lineFeedByte: lineFeed
        case Self.quotationMarkByte: quotationMark
        default: nil
        }
    }

    private static let lineFeedByte: UInt8 = 0x0A
    private static let carriageReturnByte: UInt8 = 0x0D
    private static let quotationMarkByte: UInt8 = 0x22
}

extension [UInt8] {
    /// Appends a text that is written as it is.
    mutating func append(verbatim text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    /// Appends a text that is known when the library is compiled.
    mutating func append(literal text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
