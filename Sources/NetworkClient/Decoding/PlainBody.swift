import Foundation
import NetworkUtilities

/// A body for types that are not decoded from JSON: its bytes, and the `Content-Type` of its response.
struct PlainBody {
    let data: Data
    private let contentType: String?

    init(_ data: Data, contentType: String? = nil) {
        self.data = data
        self.contentType = contentType
    }

    /// The whole body as text, without a byte order mark.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the charset is not known, or the bytes are not text in it.
    func text() throws -> String {
        do throws(DecodingReason) {
            guard let charset = Charset(contentType: contentType) else { throw .unknownCharset }
            return try charset.text(of: data)
        } catch {
            throw error.error()
        }
    }

    /// Whether the body may be JSON by its type: it has a JSON type, or none.
    var canBeJSON: Bool {
        guard let type = contentType.map({ MediaType($0) }), !type.essence.isEmpty else { return true }
        return type.isJSON
    }

    /// The bytes without a byte order mark in front and JSON white space (RFC 8259 §2) around them.
    var trimmed: Data {
        let content = data.withoutUTF8ByteOrderMark
        guard let first = content.firstIndex(where: Self.isContent) else { return Data() }
        guard let last = content.lastIndex(where: Self.isContent) else { return Data() }
        return content[first...last]
    }

    /// Whether the body is the JSON literal `null`.
    var isNull: Bool {
        Self.isNull(trimmed)
    }

    /// Whether the body stands for no value at all: empty, white space only, or `null`.
    var isNothing: Bool {
        let content = trimmed
        return content.isEmpty || Self.isNull(content)
    }

    private static func isNull(_ content: Data) -> Bool {
        content.elementsEqual("null".utf8)
    }

    private static func isContent(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: false
        default: true
        }
    }
}
