/// Where a value stands in a body, rendered as `orders[2].price`; empty for the body itself.
package struct CodingPath: CustomStringConvertible, Sendable {
    /// The path as text.
    package let description: String

    /// Renders a path from the outermost key to the innermost.
    package init(_ keys: [any CodingKey]) {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[\(index)]"
            } else if Self.isPlain(key.stringValue) {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            } else {
                text += "[\(Self.quoted(key.stringValue))]"
            }
        }
        description = text
    }

    /// Whether the key can be told from its neighbours without quotes.
    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= maximumKeyLength
            && key.allSatisfy { $0.isLetter || $0.isNumber || "_-$@".contains($0) }
    }

    /// Keys of dictionaries come from the other side: line breaks are escaped and long ones cut, for the sake of logs.
    private static func quoted(_ key: String) -> String {
        key.utf8.count <= maximumKeyLength
            ? key.debugDescription
            : String(String.UnicodeScalarView(key.unicodeScalars.prefix(maximumKeyLength))).debugDescription + "…"
    }

    private static let maximumKeyLength = 64
}
