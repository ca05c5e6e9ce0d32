extension HeaderField {
    /// `User-Agent` with a value of your own (RFC 9110 §10.1.5).
    ///
    /// - Parameter value: The whole value, such as `MyApp/1.2 (iPhone)`.
    /// - Returns: The field.
    public static func userAgent(value: String) -> HeaderField {
        HeaderField(known: "User-Agent", value)
    }

    /// `User-Agent` of a product's name, its version and a comment (RFC 9110 §10.1.5): `MyApp/1.2 (iPhone)`.
    ///
    /// What may not stand in a name or a version becomes a hyphen: `My App` is sent as `My-App`.
    ///
    /// - Parameters:
    ///   - product: The name; if nothing of it may stand there, the field is left out.
    ///   - version: The version, if it is to be told.
    ///   - comment: Anything else, if it is to be told; it needs no parentheses.
    /// - Returns: The field.
    public static func userAgent(product: String, version: String? = nil, comment: String? = nil) -> HeaderField {
        guard var value = token(from: product) else { return HeaderField(known: "User-Agent", nil) }
        if let version = version.flatMap(token) { value += "/\(version)" }
        if let comment, !comment.isEmpty { value += " \(parenthesised(comment))" }
        return HeaderField(known: "User-Agent", value)
    }

    /// The text with each run of other characters as one hyphen, and none at the ends; nil if nothing is left.
    private static func token(from text: String) -> String? {
        var bytes: [UInt8] = []
        var isPending = false
        for byte in text.utf8 {
            guard HTTPToken.isTokenCharacter(byte) else {
                isPending = !bytes.isEmpty
                continue
            }
            if isPending { bytes.append(UInt8(ascii: "-")) }
            isPending = false
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// A comment (RFC 9110 §5.6.5), with a backslash before what would end it, begin another or escape.
    private static func parenthesised(_ text: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "(")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: ")"), QuotedString.backslash:
                bytes.append(QuotedString.backslash)
            default: break
            }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: ")"))
        return String(decoding: bytes, as: UTF8.self)
    }
}
