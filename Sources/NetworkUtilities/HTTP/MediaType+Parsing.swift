extension MediaType {
    /// Takes a media type that keeps to the grammar (RFC 9110 §8.3.1), or says what is wrong with it.
    ///
    /// Allowed are white space around semicolons, a semicolon with nothing after it, quoted values, and any letter
    /// case. The text is kept as it is.
    ///
    /// - Parameter text: The value of a `Content-Type` field, or one element of `Accept`.
    /// - Throws: ``InvalidMediaType`` for anything else; ``init(_:)`` takes that too.
    public init(parsing text: String) throws(InvalidMediaType) {
        var copy = text
        let (extent, flaw) = copy.withUTF8 { bytes in
            let extent = HeaderField.trimmed(bytes, bytes.indices)
            return (extent, MediaTypeGrammar(bytes, extent).flaw())
        }
        if let flaw { throw InvalidMediaType(text: text, reason: flaw) }
        self.init(extent.count == text.utf8.count ? text : HeaderField.sanitized(text))
    }

    /// Makes a media type of its parts, with quotes where they are needed.
    ///
    /// - Parameters:
    ///   - type: The type, such as `text`.
    ///   - subtype: The subtype, such as `html`.
    ///   - parameters: The parameters in their order.
    /// - Throws: ``InvalidMediaType`` if a name is no token (RFC 9110 §5.6.2), or a value holds a control character.
    public init(type: String, subtype: String, parameters: [Parameter] = []) throws(InvalidMediaType) {
        let essence = "\(type)/\(subtype)"
        guard HTTPToken.isValid(type), HTTPToken.isValid(subtype) else {
            throw InvalidMediaType(text: essence, reason: .essence)
        }
        var text = essence
        for parameter in parameters {
            guard HTTPToken.isValid(parameter.name) else { throw InvalidMediaType(text: essence, reason: .parameter) }
            guard !parameter.value.utf8.contains(where: HeaderField.isForbidden) else {
                throw InvalidMediaType(text: essence, reason: .parameterValue)
            }
            text += "; \(parameter.name)=\(QuotedString.quotedIfNeeded(parameter.value))"
        }
        self.init(text)
    }
}
