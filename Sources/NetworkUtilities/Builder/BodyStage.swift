/// The second stage of POST, PUT, PATCH and `method(_:url:)`: the body of the request.
///
/// A body with a media type also sets the `Content-Type`, which a header step can override.
public enum BodyStage: QuerylessStage {}

extension RequestBuilder where Stage == BodyStage {
    /// Sends no body: `Content-Length: 0`, and no `Content-Type`.
    public consuming func noBody() -> RequestBuilder<QueryStage> { moved() }

    /// Sends a value as JSON, with the encoder of the builder's options and `Content-Type: application/json`; nil sends
    /// no body, as ``noBody()`` does.
    ///
    /// For the JSON text `null`, use `bodyText("null", type: .json)`. Throws ``BodyEncodingError/json(path:reason:)``
    /// if the value can't be encoded as JSON.
    public consuming func bodyJson<Value: Encodable>(of value: Value?) throws -> RequestBuilder<QueryStage> {
        guard let value else { return noBody() }
        let data = try draft.options.encoder.encode(value)
        return moved { $0.setBody(.data(data), type: .json) }
    }

    /// Sends parameters of several types as a JSON object; nil sends no body, as ``noBody()`` does.
    ///
    /// A parameter that is nil is left out, at any depth; `NSNull`, and nil in an array, is `null`. Use a struct with
    /// ``bodyJson(of:)`` where you can: the compiler then knows that it can be encoded. Throws
    /// ``BodyEncodingError/json(path:reason:)`` for a value that can't be, and for more than 64 nested levels.
    public consuming func bodyJson(params: Params?) throws -> RequestBuilder<QueryStage> {
        guard let params else { return noBody() }
        return try bodyJson(of: EncodableParams(params))
    }

    /// Sends parameters as a form (WHATWG `application/x-www-form-urlencoded`), sorted by name; nil sends no body.
    ///
    /// Throws ``BodyEncodingError/form(path:reason:)`` if a value can't be encoded.
    public consuming func bodyForm(params: Params?) throws -> RequestBuilder<QueryStage> {
        guard let params else { return noBody() }
        let data = try draft.options.formEncoder.encode(params)
        return moved { $0.setBody(.data(data), type: .url()) }
    }

    /// Sends a value's properties as a form (WHATWG `application/x-www-form-urlencoded`), in their order; nil sends no
    /// body.
    ///
    /// Throws ``BodyEncodingError/form(path:reason:)`` if a property can't be encoded, or the value doesn't encode as
    /// an object.
    public consuming func bodyForm<Value: Encodable>(of value: Value?) throws -> RequestBuilder<QueryStage> {
        guard let value else { return noBody() }
        let data = try draft.options.formEncoder.encode(of: value)
        return moved { $0.setBody(.data(data), type: .url()) }
    }

    /// Sends items as a form in their order, repeated names included (WHATWG `application/x-www-form-urlencoded`).
    ///
    /// An item without a value is sent with an empty one; nil in place of the items sends no body. Items are strings
    /// already, so the form encoder of the builder's options is not used.
    public consuming func bodyForm(items: [URLQueryItem]?) -> RequestBuilder<QueryStage> {
        guard let items else { return noBody() }
        return bodyForm(URLEncodedForm(items: items))
    }

    /// Sends pairs of texts as a form in their order, repeated names included (WHATWG
    /// `application/x-www-form-urlencoded`).
    ///
    /// A pair whose value is nil is left out. The form encoder of the builder's options is not used.
    public consuming func bodyForm(pairs: KeyValuePairs<String, String?>) -> RequestBuilder<QueryStage> {
        bodyForm(URLEncodedForm(pairs: pairs))
    }

    private consuming func bodyForm(_ form: URLEncodedForm) -> RequestBuilder<QueryStage> {
        moved { $0.setBody(form.makeContent(), type: form.mediaType) }
    }

    /// Sends parameters as a form with `; charset=utf-8` in its media type, for servers that require it; nil sends no
    /// body.
    ///
    /// Throws ``BodyEncodingError/form(path:reason:)`` if a value can't be encoded.
    public consuming func bodyFormUtf8(params: Params?) throws -> RequestBuilder<QueryStage> {
        guard let params else { return noBody() }
        let data = try draft.options.formEncoder.encode(params)
        return moved { $0.setBody(.data(data), type: .url(useUTF8Charset: true)) }
    }

    /// Sends the parts that a closure adds as a form (RFC 7578 `multipart/form-data`), in their order.
    ///
    /// Files are streamed when the request is sent, and read again from the start when it is sent again. The boundary
    /// is random unless it is given, for example by a test that compares bytes. Rethrows the errors of the closure,
    /// such as ``MultipartFormFilePart/Error/invalidLocalFile(url:)``. For a block of parts, with `if` and `for`, write
    /// `bodyMultipart(MultipartForm { … })`.
    public consuming func bodyMultipart(
        boundary: MultipartBoundary = .random(),
        _ build: (MultipartFormBuilder) throws -> Void
    ) rethrows -> RequestBuilder<QueryStage> {
        let builder = MultipartFormBuilder(boundary: boundary)
        try build(builder)
        return bodyMultipart(builder.form)
    }

    /// Sends an existing form (RFC 7578 `multipart/form-data`): the same bytes and boundary each time it is sent.
    public consuming func bodyMultipart(_ form: MultipartForm) -> RequestBuilder<QueryStage> {
        moved { $0.setBody(form.makeContent(), type: form.mediaType) }
    }
}

// Bodies that are not encoded.

extension RequestBuilder where Stage == BodyStage {
    /// Sends bytes unchanged; nil sends no body, as ``noBody()`` does.
    public consuming func bodyData(_ data: Data?, type: MediaType = .octetStream) -> RequestBuilder<QueryStage> {
        guard let data else { return noBody() }
        return moved { $0.setBody(.data(data), type: type) }
    }

    /// Sends a string in UTF-8, whatever `charset` the media type names; nil sends no body, as ``noBody()`` does.
    public consuming func bodyText(_ text: String?, type: MediaType = .plainText) -> RequestBuilder<QueryStage> {
        guard let text else { return noBody() }
        return moved { $0.setBody(.data(Data(text.utf8)), type: type) }
    }

    /// Sends an integer or a Boolean as text, such as `42` or `true`; nil sends no body, as ``noBody()`` does.
    public consuming func bodyText<Value: LosslessStringConvertible>(
        _ value: Value?,
        type: MediaType = .plainText
    ) -> RequestBuilder<QueryStage> {
        bodyText(value.map { String($0) }, type: type)
    }

    /// Sends a number with a fraction as text, such as `2.5`; nil sends no body, as ``noBody()`` does.
    ///
    /// Throws ``BodyEncodingError/text(reason:)`` for infinity and NaN, as all other bodies do.
    public consuming func bodyText<Value: LosslessStringConvertible & BinaryFloatingPoint>(
        _ value: Value?,
        type: MediaType = .plainText
    ) throws(BodyEncodingError) -> RequestBuilder<QueryStage> {
        guard value?.isFinite != false else { throw .text(reason: "is not a finite number") }
        return bodyText(value.map { String($0) }, type: type)
    }

    /// Streams a local file, which is read while the request is sent and never held in memory as a whole.
    ///
    /// - Parameters:
    ///   - url: A `file:` URL of a regular file.
    ///   - type: The media type; nil for the media type of the file name's extension, `application/octet-stream` if the
    ///     extension is unknown.
    /// - Returns: A builder at the query stage.
    /// - Throws: ``BodySourceError`` if the file is missing, unreadable or not a regular file now. Sending the request
    ///   fails if the file changes later.
    public consuming func bodyFile(
        at url: URL,
        type: MediaType? = nil
    ) throws(BodySourceError) -> RequestBuilder<QueryStage> {
        let content = try RequestContent.file(at: url)
        let type = type ?? MediaType(fileName: url.lastPathComponent) ?? .octetStream
        return moved { $0.setBody(content, type: type) }
    }

    /// Streams the bytes of an asynchronous sequence, as `Data` or `[UInt8]`; such a request can be sent only once.
    ///
    /// The request fails if the sequence throws, or yields nothing for as long as the request's `timeoutInterval`. See
    /// <doc:StreamedBodies>.
    ///
    /// - Parameters:
    ///   - chunks: The bytes; the next chunk is requested when there is room for it.
    ///   - length: The number of bytes, sent as `Content-Length`; sending fewer or more is an error.
    ///   - type: The media type.
    /// - Returns: A builder at the query stage.
    public consuming func bodyStream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        type: MediaType = .octetStream
    ) -> RequestBuilder<QueryStage> where Chunks.Element: DataProtocol {
        moved { $0.setBody(SequenceBody(chunks, length: length), type: type) }
    }

    /// Sends a caller-provided body with its media type; nil sends no body, as ``noBody()`` does.
    ///
    /// Throws the errors of the body, and ``BodySourceError/invalidLength(_:)`` for a length below 0.
    public consuming func body<Body: RequestBody>(_ body: Body?) throws -> RequestBuilder<QueryStage> {
        guard let body else { return noBody() }
        let content = try body.makeContent().checked()
        return moved { $0.setBody(content, type: body.mediaType) }
    }
}
