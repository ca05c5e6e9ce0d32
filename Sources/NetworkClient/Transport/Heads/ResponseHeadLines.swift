/// The lines of a response's head as libcurl passes them on, and the facts that they state.
///
/// A response may have several heads in a row, of which the last is the final one (RFC 9110 §15.2). Each status line
/// begins the next head.
struct ResponseHeadLines: Sendable {
    private var bytes: [UInt8] = []
    /// The lines of the trailers, which come after the final head and its body.
    private var trailerBytes: [UInt8] = []
    /// Whether the empty line that ends a head has been received.
    private(set) var isComplete = false
    /// Whether a status does not have three digits; libcurl 8.14 and later use the first three.
    private(set) var hasInvalidStatus = false
    /// Whether the fields that state the body's length contradict each other, or have an invalid value.
    private(set) var hasInvalidLength = false
    /// The length that the head states; nil if it states none, or a wrong one.
    private(set) var length: Int?
    private(set) var hasCodingField = false
    private(set) var hasTransferCoding = false
    /// Whether the body is decoded, if it has a coding; false for a body that the caller gets as it was sent.
    var decodesBody = true
    /// Whether a line is not a field (RFC 9112 §5), which libcurl before 7.86 accepts.
    private(set) var hasInvalidLine = false
    /// Whether the body has a transfer coding other than `chunked`, which the request did not ask for (RFC 9112 §7.4).
    private(set) var hasUnknownTransferCoding = false

    /// Adds a line with its line break.
    ///
    /// Lines after the empty line of the final head are trailers, of which none is a status line.
    mutating func append(_ line: UnsafeRawBufferPointer) {
        if Self.isStatusLine(line) {
            // Before 7.80, libcurl itself sends a request again after 417.
            guard !isComplete || !isFinal || status == 417 else {
                hasInvalidLine = true
                return
            }
            trailerBytes.removeAll()
            bytes.removeAll(keepingCapacity: true)
            bytes.reserveCapacity(Self.usualLength)
            isComplete = false
            length = nil
            (hasCodingField, hasTransferCoding) = (false, false)
        } else if bytes.isEmpty {
            // Ignores lines before the status line.
            return
        } else if !Self.mayBeField(line) {
            hasInvalidLine = true
        }
        let isEmpty = line.first == 0x0D || line.first == 0x0A
        if isComplete {
            if !isEmpty, isFinal { Self.append(line, to: &trailerBytes) }
        } else if isEmpty {
            isComplete = true
        } else {
            if bytes.isEmpty { hasInvalidStatus = Self.status(in: line) == nil }
            Self.append(line, to: &bytes)
            checkField(line)
        }
    }

    private mutating func checkField(_ line: UnsafeRawBufferPointer) {
        // The first letter rules out most other fields.
        let first = (line.first ?? 0) | 0x20
        guard first == UInt8(ascii: "c") || first == UInt8(ascii: "t") else { return }
        if let value = Self.value(of: Self.contentLength, in: line) {
            let stated = BodyFraming.length(in: value)
            if stated == nil || length != nil && length != stated { hasInvalidLength = true }
            length = stated
        } else if Self.value(of: Self.contentEncoding, in: line) != nil {
            hasCodingField = true
        } else if let value = Self.value(of: Self.transferEncoding, in: line) {
            hasTransferCoding = true
            if BodyFraming.isUnknownCoding(String(decoding: value, as: UTF8.self)) { hasUnknownTransferCoding = true }
        }
    }

    /// Returns the value of a field if a line has its name; `name` is in lower case and ends with the colon.
    private static func value(
        of name: [UInt8],
        in line: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer.SubSequence? {
        guard line.count > name.count, line[name.count - 1] == UInt8(ascii: ":") else { return nil }
        for index in name.indices where line[index] | 0x20 != name[index] { return nil }
        return line[name.count...]
    }

    private static let contentLength = Array("content-length:".utf8)
    private static let contentEncoding = Array("content-encoding:".utf8)
    private static let transferEncoding = Array("transfer-encoding:".utf8)

    /// Appends a line; a line that begins with white space continues the line before (RFC 9112 §5.2).
    private static func append(_ line: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        guard let first = line.first, ASCII.isWhiteSpace(first) else { return bytes.append(contentsOf: line) }
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        bytes.append(0x20)
        bytes.append(contentsOf: line.drop(while: ASCII.isWhiteSpace))
    }

    /// Returns whether a line has a name, continues the line before it, or ends the head or the trailers.
    private static func mayBeField(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let first = line.first, let start = line.baseAddress, memchr(start, 0, line.count) == nil else {
            return false
        }
        return first == 0x0D || first == 0x0A || ASCII.isWhiteSpace(first) || memchr(start, 0x3A, line.count) != nil
    }

    private static func isStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        line.count >= 5 && line[0] == 0x48 && line[1] == 0x54 && line[2] == 0x54 && line[3] == 0x50 && line[4] == 0x2F
    }

    /// The status code, 100…999; nil if it is missing or invalid.
    var status: Int? { bytes.withUnsafeBytes(Self.status(in:)) }

    private static func status(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let space = bytes.firstIndex(of: 0x20), !bytes[..<space].contains(0x0A) else { return nil }
        let digits = bytes[(space + 1)...].prefix { 0x30...0x39 ~= $0 }
        guard digits.count == 3, digits.first != 0x30 else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Whether the head is not an interim one (RFC 9110 §15.2).
    ///
    /// 101 is final: the connection then no longer uses HTTP.
    var isFinal: Bool { status.map { $0 >= 200 || $0 == 101 } ?? true }

    /// Returns the fields, or those of one name, in the order in which they were received, without those that describe
    /// the body before it was decoded.
    func fields(named name: String? = nil) -> [ResponseFields.Field] {
        let fields = receivedFields(named: name)
        guard isDecoded else { return fields }
        return fields.filter { !ResponseFields.describesCodedBody($0.name) }
    }

    /// The trailer fields in the order in which they were received; nil for a body without trailers.
    var trailers: ResponseFields? {
        // Each line of the head follows a line break, as the first one follows the status line.
        trailerBytes.isEmpty ? nil : ResponseFields(Self.fields(in: [0x0A] + trailerBytes, named: nil))
    }

    /// Whether the body had a content coding, which is decoded.
    var isDecoded: Bool { !codings.isEmpty }

    private func receivedFields(named name: String?) -> [ResponseFields.Field] { Self.fields(in: bytes, named: name) }

    /// Returns the fields in the lines after the first one.
    private static func fields(in bytes: [UInt8], named name: String?) -> [ResponseFields.Field] {
        bytes.withUnsafeBufferPointer { bytes in
            var fields: [ResponseFields.Field] = []
            if name == nil { fields.reserveCapacity(Self.usualCount) }
            func first(_ byte: Int32, in range: Range<Int>) -> Int? {
                guard let start = bytes.baseAddress, !range.isEmpty,
                    let found = memchr(start + range.lowerBound, byte, range.count)
                else { return nil }
                return found - UnsafeMutableRawPointer(mutating: start)
            }
            func endOfLine(from start: Int) -> Int { first(0x0A, in: start..<bytes.count) ?? bytes.count }
            let initial = name?.utf8.first.map(ASCII.lowercased)
            // Skips the status line.
            var end = endOfLine(from: 0)
            while end + 1 < bytes.count {
                let start = end + 1
                end = endOfLine(from: start)
                // The first letter rules out most other fields.
                if let initial, ASCII.lowercased(bytes[start]) != initial { continue }
                guard let colon = first(0x3A, in: start..<end) else { continue }
                let nameBytes = Self.trimmed(bytes[start..<colon])
                if let name, !Self.isName(name, nameBytes) { continue }
                let value = Self.text(Self.trimmed(bytes[(colon + 1)..<end]))
                fields.append(ResponseFields.Field(name: Self.text(nameBytes), value: value))
            }
            return fields
        }
    }

    /// Whether a field names content codings that have to be decoded.
    ///
    /// A part of an encoded body (206, RFC 9110 §14.2) stays encoded, since a part can't be decoded by itself.
    var namesCodings: Bool {
        guard decodesBody, hasCodingField, let status else { return false }
        return ![204, 206, 304].contains(status)
    }

    /// The content codings of the body in the order in which they were applied (RFC 9110 §8.4), in lower case.
    ///
    /// Words that some servers send for an uncompressed body are left out.
    var codings: [String] {
        guard namesCodings else { return [] }
        let values = receivedFields(named: "Content-Encoding").map(\.value)
        return values.joined(separator: ",").lowercased()
            .split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init).filter { !Self.noCodings.contains($0) }
    }

    private static let noCodings: Set<String> = [
        "identity", "none", "plain", "binary", "7bit", "8bit", "utf-8", "utf8", "aws-chunked",
    ]

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Returns the bytes of a name or a value without white space around it.
    private static func trimmed(_ bytes: Slice<Bytes>) -> Bytes {
        var (start, end) = (bytes.startIndex, bytes.endIndex)
        while start < end, ASCII.isWhiteSpace(bytes[start]) { start += 1 }
        while start < end, ASCII.isWhiteSpace(bytes[end - 1]) || bytes[end - 1] == 0x0D { end -= 1 }
        return Bytes(rebasing: bytes[start..<end])
    }

    private static func isName(_ name: String, _ bytes: Bytes) -> Bool {
        let name = name.utf8
        return name.count == bytes.count && zip(name, bytes).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }

    /// Decodes a name or a value; bytes that are not UTF-8 are decoded as ISO 8859-1 (RFC 9110 §5.5).
    private static func text(_ bytes: Bytes) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // If a byte was not UTF-8, the text has U+FFFD instead, so its bytes differ.
        guard bytes.contains(where: { $0 >= 0x80 }), !text.utf8.elementsEqual(bytes) else { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static let usualLength = 512
    private static let usualCount = 16
}
