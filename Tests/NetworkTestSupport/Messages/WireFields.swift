package import Foundation

/// The lines of a header, with their order, duplicates and letter case.
///
/// Scripts write them as a dictionary, `["Set-Cookie": "a=1", "Set-Cookie": "b=2"]`, or create them from an array.
package struct WireFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private var fields: [WireField]

    package init(_ fields: [WireField] = []) {
        self.fields = fields
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { WireField(name: $0.0, value: $0.1) }
    }

    /// Returns the first value of a name, compared without case.
    package subscript(_ name: String) -> String? {
        values(for: name).first
    }

    package mutating func append(_ field: WireField) {
        fields.append(field)
    }

    package func values(for name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// Returns the comma-separated members of all fields of a name, in lower case.
    func members(of name: String) -> [String] {
        values(for: name).flatMap { value in
            value.lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
    }
}

extension WireFields: RandomAccessCollection {
    package var startIndex: Int { fields.startIndex }
    package var endIndex: Int { fields.endIndex }

    package subscript(position: Int) -> WireField {
        fields[position]
    }
}

/// One line of a header, in its original spelling.
package struct WireField: Sendable, Equatable, CustomStringConvertible {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    package var description: String {
        "\(name): \(value)"
    }
}

extension WireFields {
    /// Parses lines strictly (RFC 9112 §5), since the code under test has written them.
    init(parsing lines: some Sequence<ArraySlice<UInt8>>) throws {
        fields = try lines.map { line in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw MalformedRequest(reason: "a header line without a colon")
            }
            let name = line[..<colon]
            guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else {
                throw MalformedRequest(reason: "a header name that is not a token")
            }
            let value = line[(colon + 1)...]
            guard value.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else {
                throw MalformedRequest(reason: "a control character in a header value")
            }
            let text = String(decoding: value, as: UTF8.self).trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
            return WireField(name: String(decoding: name, as: UTF8.self), value: text)
        }
    }
}

extension UInt8 {
    private static let tokenBytes = Set(
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8
    )

    /// Whether a byte is a `tchar` of RFC 9110 §5.6.2.
    var isTokenByte: Bool {
        Self.tokenBytes.contains(self)
    }
}

/// The types that scripts can use for bytes: strings (as UTF-8), arrays of bytes, data.
package protocol WireBytes: Sendable {
    var wireBytes: [UInt8] { get }
}

extension String: WireBytes {
    package var wireBytes: [UInt8] { [UInt8](utf8) }
}

extension Array: WireBytes where Element == UInt8 {
    package var wireBytes: [UInt8] { self }
}

extension Data: WireBytes {
    package var wireBytes: [UInt8] { [UInt8](self) }
}
