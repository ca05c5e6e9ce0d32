import Foundation

/// The lines of a response's head as they came, and what they say.
///
/// An answer may have several heads in a row, of which the last is its own (RFC 9110 §15.2): a status line begins anew.
struct ResponseHeadLines: Sendable {
    private var bytes: [UInt8] = []
    /// Whether the empty line that ends a head has come.
    private(set) var isComplete = false

    /// Adds a line with its line break.
    ///
    /// What comes after the empty line are trailers, which are left out.
    mutating func append(_ line: UnsafeRawBufferPointer) {
        if line.starts(with: "HTTP/".utf8) {
            bytes.removeAll(keepingCapacity: true)
            isComplete = false
        }
        guard !isComplete else { return }
        if line.first == 0x0D || line.first == 0x0A {
            isComplete = true
        } else {
            bytes.append(contentsOf: line)
        }
    }

    /// The status code; nil if there is no status line.
    var status: Int? {
        let parts = lines.first?.split(separator: UInt8(ascii: " "), maxSplits: 2) ?? []
        guard parts.count >= 2 else { return nil }
        return Int(String(decoding: parts[1], as: UTF8.self))
    }

    /// Such as `HTTP/1.1`.
    var version: String {
        let token = lines.first?.prefix { $0 != UInt8(ascii: " ") } ?? []
        return String(decoding: token, as: UTF8.self)
    }

    /// The fields as they came, in their order.
    var fields: [Field] {
        lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return Field(name: Self.text(line[..<colon]), value: Self.text(line[(colon + 1)...]))
        }
    }

    /// One field of a head.
    struct Field: Hashable, Sendable {
        let name: String
        let value: String
    }

    private var lines: [ArraySlice<UInt8>] {
        bytes.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }
    }

    /// Without white space around it; bytes that are no UTF-8 are ISO 8859-1 (RFC 9110 §5.5).
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
        if let text = String(bytes: bytes, encoding: .utf8) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
