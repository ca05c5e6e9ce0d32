extension RequestPath {
    /// Expands a URI template (RFC 6570) as a path.
    ///
    /// ```swift
    /// let api = URLRequest.builder(baseURL: url)
    /// let request = try api.get(path: .template("/users{/id}{?page,limit}", variables: ["id": 42, "page": 2])).build()
    /// ```
    /// - Parameters:
    ///   - template: The template.
    ///   - variables: The values by name, as for a form. One that is missing is left out with what belongs to it,
    ///     unless a segment would be missing: that is an error when the path is used, and so is an empty segment.
    /// - Returns: The path.
    /// - Throws: ``URITemplateError``.
    public static func template(_ template: String, variables: Params) throws(URITemplateError) -> RequestPath {
        try .template(URITemplate(template), variables: variables)
    }

    /// Expands a URI template with the properties of a value.
    ///
    /// - Parameters:
    ///   - template: The template.
    ///   - variables: A value that encodes as an object.
    /// - Returns: The path.
    /// - Throws: ``URITemplateError``.
    public static func template<Value: Encodable>(
        _ template: String,
        variables: Value
    ) throws(URITemplateError) -> RequestPath {
        try .template(URITemplate(template), variables: variables)
    }

    /// Expands a URI template that has been parsed before.
    ///
    /// - Parameters:
    ///   - template: The template.
    ///   - variables: The values by name.
    /// - Returns: The path.
    /// - Throws: ``URITemplateError/unusableVariable(name:reason:)``.
    public static func template(_ template: URITemplate, variables: Params) throws(URITemplateError) -> RequestPath {
        RequestPath(pieces: try template.pieces(URITemplate.Variables(variables)))
    }

    /// Expands a URI template that has been parsed before with the properties of a value.
    ///
    /// - Parameters:
    ///   - template: The template.
    ///   - variables: A value that encodes as an object.
    /// - Returns: The path.
    /// - Throws: ``URITemplateError/unusableVariable(name:reason:)``.
    public static func template<Value: Encodable>(
        _ template: URITemplate,
        variables: Value
    ) throws(URITemplateError) -> RequestPath {
        RequestPath(pieces: try template.pieces(URITemplate.Variables(encoding: variables)))
    }
}
