// The steps that the macros write where the type of a value decides.

/// The protocol `Endpoint`, under a name that no type of an app has.
public typealias DescribedEndpoint = Endpoint

extension RequestBuilder where Stage == BodyStage {
    /// Sends a body in the form that it makes: see `body(_:)`.
    public consuming func body<Body: RequestBody>(of body: Body?) throws -> RequestBuilder<QueryStage> {
        try self.body(body)
    }

    /// Sends `Data` unchanged, a string as text and any other value as JSON; nil sends no body.
    ///
    /// In generic code, the type of the value decides when the code runs. Throws the errors of `body(_:)` and
    /// `bodyJson(of:)`.
    @_disfavoredOverload
    public consuming func body<Body: Encodable>(of body: Body?) throws -> RequestBuilder<QueryStage> {
        guard let body else { return noBody() }
        // Types before values, whose casts would take 6 % of a small request.
        if Body.self == Data.self { return bodyData(body as? Data) }
        if Body.self == String.self { return bodyText(body as? String) }
        if Body.self is any RequestBody.Type, let body = body as? any RequestBody { return try self.body(of: body) }
        if Body.self is any NestedBody.Type, let body = body as? any NestedBody { return try body.send(by: self) }
        return try bodyJson(of: body)
    }

    /// Sends parameters of several types as a JSON object; nil sends no body.
    @_disfavoredOverload
    public consuming func body(of params: Params?) throws -> RequestBuilder<QueryStage> { try bodyJson(params: params) }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, message: "a body is Encodable, or a RequestBody such as MultipartForm, or Data, or text")
    @_disfavoredOverload
    public func body<Body>(of body: Body) throws -> RequestBuilder<QueryStage> { fatalError() }
}

/// An optional in an optional, in generic code.
private protocol NestedBody {
    func send(by builder: RequestBuilder<BodyStage>) throws -> RequestBuilder<QueryStage>
}

extension Optional: NestedBody where Wrapped: Encodable {
    fileprivate func send(by builder: RequestBuilder<BodyStage>) throws -> RequestBuilder<QueryStage> {
        try builder.body(of: self)
    }
}

extension HeaderField {
    /// Creates the field of a value with one text, such as a string or an integer; none for nil.
    ///
    /// Throws ``NetworkUtilities/HeaderFieldError`` for a control character in the text.
    public static func fields(
        named name: String,
        of value: (any URLTextConvertible)?
    ) throws(HeaderFieldError) -> [HeaderField] {
        guard let value else { return [] }
        return [try HeaderField(name: name, value: value.urlText)]
    }

    /// Creates the field of any other value with a text: a number with a fraction, a date (as an HTTP-date), an array
    /// of texts (as `a, b`); none for nil and an empty array.
    ///
    /// Throws ``NetworkUtilities/HeaderFieldError`` for a value without a text, and for a control character in it.
    @_disfavoredOverload
    public static func fields(named name: String, of value: (some Encodable)?) throws(HeaderFieldError) -> [HeaderField]
    {
        guard let value else { return [] }
        return try fields(of: [name: value])
    }

    /// Creates the field of a media type; none for nil.
    public static func fields(named name: String, of type: MediaType?) throws(HeaderFieldError) -> [HeaderField] {
        try fields(named: name, of: type?.value)
    }

    /// Creates the field of media types, `a/b, c/d`; none for nil and an empty array.
    public static func fields(named name: String, of types: [MediaType]?) throws(HeaderFieldError) -> [HeaderField] {
        try fields(named: name, of: types?.map(\.value))
    }

    /// Creates the field of an entity tag; none for nil.
    public static func fields(named name: String, of tag: EntityTag?) throws(HeaderFieldError) -> [HeaderField] {
        try fields(named: name, of: tag?.value)
    }

    /// Creates the field of entity tags, `"a", "b"`; none for nil and an empty array.
    public static func fields(named name: String, of tags: [EntityTag]?) throws(HeaderFieldError) -> [HeaderField] {
        try fields(named: name, of: tags?.map(\.value))
    }

    /// Creates the field of a credential; none for nil.
    public static func fields(named name: String, of value: Credential?) throws(HeaderFieldError) -> [HeaderField] {
        try fields(named: name, of: value.flatMap { HeaderField.authorization($0).value })
    }

    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, message: "a header field is a text, a number, a date or another value with one text")
    @_disfavoredOverload
    public static func fields<Value>(named name: String, of value: Value) throws -> [HeaderField] { fatalError() }
}
