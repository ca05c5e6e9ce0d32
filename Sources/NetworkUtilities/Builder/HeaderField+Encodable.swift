extension HeaderField {
    /// Creates a field from each property of a value, or each entry of a dictionary.
    ///
    /// The field of a property `ifNoneMatch` is `If-None-Match`; a name that begins with a capital or contains a
    /// hyphen, as a `CodingKeys` case may, stays unchanged, and so do the keys of a dictionary. A date is an HTTP-date
    /// (RFC 9110 §5.6.7), an array is `a, b`, a Boolean `true` or `false`. Properties that are nil or empty arrays are
    /// left out.
    ///
    /// Throws ``HeaderFieldError`` if the value isn't an object, a property has no text, a name is not a token, or a
    /// value contains a control character.
    public static func fields<Value: Encodable>(of value: Value) throws(HeaderFieldError) -> [HeaderField] {
        let parts: [FormValue.Field]
        do {
            parts = try FormPath.root(namedStyle).fields(of: value)
        } catch {
            throw .unusableValue(name: error.path, reason: error.reason)
        }
        var fields: [HeaderField] = []
        for part in parts {
            if let text = try text(of: part) { fields.append(try HeaderField(name: part.name, value: text)) }
        }
        return fields
    }

    /// Creates a field from a value of any type; nil if the value is nil or an empty array.
    ///
    /// A media type, a credential and an entity tag have the value of their own fields; other values are written as by
    /// ``fields(of:)``.
    package static func field(_ name: String, any value: Any) throws(HeaderFieldError) -> HeaderField? {
        if let text = value as? String ?? valueOfField(value) { return try HeaderField(name: name, value: text) }
        let part: FormValue.Field
        do {
            part = try FormValue.Field(name, value, in: .root(style))
        } catch {
            throw .unusableValue(name: error.path.isEmpty ? name : error.path, reason: error.reason)
        }
        guard let text = try text(of: part) else { return nil }
        return try HeaderField(name: name, value: text)
    }

    /// Returns the text of a value that is made for header fields; nil for other values.
    private static func valueOfField(_ value: Any) -> String? {
        (value as? MediaType)?.value ?? (value as? Credential)?.value ?? (value as? EntityTag)?.value
    }

    /// Returns the name of the field for a property: `If-None-Match` for `ifNoneMatch`.
    package static func name(ofProperty name: String) -> String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard let first = name.utf8.first, !capitals.contains(first), !name.utf8.contains(UInt8(ascii: "-")) else {
            return name
        }
        let words = SnakeCase.text(of: name).split(separator: "_")
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    /// Returns the text of a value; nil for nil and an empty array.
    private static func text(of field: FormValue.Field) throws(HeaderFieldError) -> String? {
        switch field.value {
        case .null: return nil
        case .text(let text): return text
        case .array(let elements):
            let texts = elements.compactMap(\.text)
            guard !elements.contains(where: \.isNested) else { break }
            return list(texts)
        case .object: break
        }
        throw .unusableValue(name: field.name, reason: "is nested, and has no text")
    }

    private static let style = FormStyle(dates: .init(text: HTTPDate.text))

    private static let namedStyle = FormStyle(dates: .init(text: HTTPDate.text), keys: .custom(name(ofProperty:)))
}
