/// The place of a value in a JSON text, as in `orders[2].price`; empty for the whole text.
package struct CodingPath: CustomStringConvertible, Sendable {
    /// The text of the place.
    package let description: String

    /// Creates a place from its keys, from the outermost to the innermost.
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

    /// Returns whether the key needs no quotes.
    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= maximumKeyLength
            && key.allSatisfy { $0.isLetter || $0.isNumber || "_-$@".contains($0) }
    }

    /// Returns the key in quotes, with escaped line breaks and limited in length: keys that a server sends end up in
    /// logs.
    private static func quoted(_ key: String) -> String {
        key.utf8.count <= maximumKeyLength
            ? key.debugDescription
            : String(String.UnicodeScalarView(key.unicodeScalars.prefix(maximumKeyLength))).debugDescription + "…"
    }

    private static let maximumKeyLength = 64
}

/// A coding key that is not of a caller's type: the name of a member, or the position of an element.
package struct AnyCodingKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?

    package init(_ name: String, intValue: Int? = nil) {
        stringValue = name
        self.intValue = intValue
    }

    package init(stringValue: String) { self.init(stringValue) }

    /// Creates the key of a position, whose text is the number.
    package init(intValue: Int) { self.init("\(intValue)", intValue: intValue) }

    /// Creates the key of a position, with the text that it has in `JSONDecoder`.
    package init(index: Int) { self.init("Index \(index)", intValue: index) }

    package init(_ key: some CodingKey) { self.init(key.stringValue, intValue: key.intValue) }

    /// The default key of a superclass.
    package static let superclass = AnyCodingKey("super")
}
