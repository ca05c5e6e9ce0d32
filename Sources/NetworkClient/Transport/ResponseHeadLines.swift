import Foundation
import NetworkUtilities

/// The lines of a response's head as they came, and what they say.
///
/// An answer may have several heads in a row, of which the last is its own (RFC 9110 §15.2): a status line begins anew.
struct ResponseHeadLines: Sendable {
    private var bytes: [UInt8] = []
    /// Whether the empty line that ends a head has come.
    private(set) var isComplete = false
    /// Whether a status line has a status of other than three digits, of which libcurl 8.14 and later take the first.
    private(set) var hasInvalidStatus = false
    /// Whether the fields that state the body's length contradict each other, or state none.
    private(set) var hasInvalidLength = false
    private var length: Int?
    private var hasCodingField = false
    /// Whether a line is not a field (RFC 9112 §5), which libcurl before 7.86 does not mind.
    private(set) var hasInvalidLine = false
    /// Whether the body has a transfer coding beside `chunked`, which nobody asked for (RFC 9112 §7.4).
    private(set) var hasUnknownTransferCoding = false

    /// Adds a line with its line break.
    ///
    /// What comes after the empty line are trailers, which are left out.
    mutating func append(_ line: UnsafeRawBufferPointer) {
        if Self.isStatusLine(line) {
            bytes.removeAll(keepingCapacity: true)
            bytes.reserveCapacity(Self.usualLength)
            isComplete = false
            length = nil
            hasCodingField = false
        } else if bytes.isEmpty {
            // Before a status line there is nothing that could be a field.
            return
        } else if !Self.mayBeField(line) {
            hasInvalidLine = true
        }
        guard !isComplete else { return }
        if line.first == 0x0D || line.first == 0x0A {
            isComplete = true
        } else {
            if bytes.isEmpty { hasInvalidStatus = Self.status(in: line) == nil }
            appendPart(line)
            checkLength(line)
            if ContentField.encoding.value(ofLine: line) != nil { hasCodingField = true }
            checkTransferCoding(line)
        }
    }

    private mutating func checkTransferCoding(_ line: UnsafeRawBufferPointer) {
        let name = Self.transferEncoding
        // Nearly every line is another field, which two bytes tell.
        guard line.count > name.count, line[0] | 0x20 == name[0], line[name.count - 1] == name[name.count - 1],
            zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { return }
        let text = String(decoding: line[name.count...], as: UTF8.self).lowercased()
        let codings = text.split { $0 == "," || $0.isWhitespace }
        if !codings.allSatisfy({ $0 == "chunked" || $0 == "identity" }) { hasUnknownTransferCoding = true }
    }

    private static let transferEncoding = Array("transfer-encoding:".utf8)

    /// A line that begins with white space goes on with the one before (RFC 9112 §5.2).
    private mutating func appendPart(_ line: UnsafeRawBufferPointer) {
        guard let first = line.first, Self.isSpace(first) else { return bytes.append(contentsOf: line) }
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        bytes.append(0x20)
        bytes.append(contentsOf: line.drop(while: Self.isSpace))
    }

    private mutating func checkLength(_ line: UnsafeRawBufferPointer) {
        guard let value = ContentField.length.value(ofLine: line) else { return }
        let stated = StatedLength.number(in: value)
        if stated == nil || length != nil && length != stated { hasInvalidLength = true }
        length = stated
    }

    /// Whether a line has a name, goes on with the line before, or ends the head or the trailers.
    private static func mayBeField(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let first = line.first, let start = line.baseAddress, memchr(start, 0, line.count) == nil else {
            return false
        }
        return first == 0x0D || first == 0x0A || isSpace(first) || memchr(start, 0x3A, line.count) != nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        line.count >= 5 && line[0] == 0x48 && line[1] == 0x54 && line[2] == 0x54 && line[3] == 0x50 && line[4] == 0x2F
    }

    /// The status code, 100…999; nil if it is missing.
    var status: Int? { bytes.withUnsafeBytes(Self.status(in:)) }

    private static func status(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let space = bytes.firstIndex(of: 0x20), !bytes[..<space].contains(0x0A) else { return nil }
        let digits = bytes[(space + 1)...].prefix { 0x30...0x39 ~= $0 }
        guard digits.count == 3, digits.first != 0x30 else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Whether it is the answer's own head, and not one that comes before it (RFC 9110 §15.2): 101 ends HTTP.
    var isFinal: Bool { status.map { $0 >= 200 || $0 == 101 } ?? true }

    /// The fields as they came, in their order.
    var fields: [ResponseFields.Field] {
        var fields: [ResponseFields.Field] = []
        bytes.withUnsafeBufferPointer { bytes in
            var lines = Self.lines(bytes)
            // The status line is no field.
            _ = lines.next()
            while let line = lines.next() {
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
                fields.append(
                    ResponseFields.Field(name: Self.text(line[..<colon]), value: Self.text(line[(colon + 1)...]))
                )
            }
        }
        return fields
    }

    /// Whether a field names codings of the body that are to be undone: a part of a coded body (206, RFC 9110 §14.2)
    /// can't be decoded by itself, and those who asked for it want its bytes.
    var namesCodings: Bool { hasCodingField && status != 206 }

    /// The codings of the body in the order in which they were applied, in lower-case letters (RFC 9110 §8.4), without
    /// words that servers put there for a body that is not compressed.
    var codings: [String] {
        guard namesCodings else { return [] }
        let values = fields.filter { HeaderField.isSameName($0.name, "Content-Encoding") }.map(\.value)
        return values.joined(separator: ",").lowercased()
            .split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init).filter { !Self.noCodings.contains($0) }
    }

    private static let noCodings: Set<String> = [
        "identity", "none", "plain", "binary", "7bit", "8bit", "utf-8", "utf8", "aws-chunked",
    ]

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The lines without their line breaks.
    private static func lines(_ bytes: Bytes) -> UnfoldFirstSequence<Slice<Bytes>>.Iterator {
        func line(from start: Int) -> Slice<Bytes>? {
            guard start < bytes.count else { return nil }
            return bytes[start..<(bytes[start...].firstIndex(of: 0x0A) ?? bytes.count)]
        }
        return sequence(first: line(from: 0) ?? bytes[0..<0]) { line(from: $0.endIndex + 1) }.makeIterator()
    }

    /// Without white space around it; bytes that are no UTF-8 are ISO 8859-1 (RFC 9110 §5.5).
    private static func text(_ bytes: Slice<Bytes>) -> String {
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) || last == 0x0D { bytes = bytes.dropLast() }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
        // What could not be decoded has become another character, of three bytes.
        guard !text.utf8.elementsEqual(bytes) else { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static let usualLength = 512
}
