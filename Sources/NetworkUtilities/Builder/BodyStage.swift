public import Foundation

/// The second stage of POST, PUT, PATCH and `method(_:url:)`: what the request carries.
public enum BodyStage {}

extension RequestBuilder where Stage == BodyStage {
    /// Sends no body: `Content-Length: 0`, and no `Content-Type`.
    ///
    /// - Returns: The query stage.
    public consuming func noBody() -> RequestBuilder<QueryStage> { moved() }

    /// Sends a value as JSON, with the encoder of the builder's options.
    ///
    /// - Parameter value: Any value that encodes, also an array or a dictionary.
    /// - Returns: The query stage, with `Content-Type: application/json` unless a header step sets another.
    /// - Throws: ``BodyEncodingError/json(path:reason:)`` if the value has no JSON form.
    public consuming func bodyJson<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> {
        let data = try draft.options.encoder.encode(value)
        return moved { $0.setBody(.data(data), type: .json) }
    }

    /// Sends parameters as a form (WHATWG `application/x-www-form-urlencoded`), sorted by name.
    ///
    /// - Parameter params: The fields by name.
    /// - Returns: The query stage.
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` if a value has no form.
    public consuming func bodyForm(params: Params) throws -> RequestBuilder<QueryStage> {
        let data = try draft.options.formEncoder.encode(params)
        return moved { $0.setBody(.data(data), type: .url()) }
    }

    /// Sends a value's properties as a form (WHATWG `application/x-www-form-urlencoded`), in their order.
    ///
    /// - Parameter value: A value that encodes as an object.
    /// - Returns: The query stage.
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` if the value has no form.
    public consuming func bodyForm<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> {
        let data = try draft.options.formEncoder.encode(of: value)
        return moved { $0.setBody(.data(data), type: .url()) }
    }

    /// Sends items as a form in their order, repeated names included (WHATWG `application/x-www-form-urlencoded`).
    ///
    /// Items are texts already, so the form encoder of the builder's options is not used.
    ///
    /// - Parameter items: The fields; one without a value is sent with an empty one.
    /// - Returns: The query stage.
    public consuming func bodyForm(items: [URLQueryItem]) -> RequestBuilder<QueryStage> {
        var serializer = FormSerializer(.form, style: .form)
        serializer.append(items.map { FormValue.Field(name: $0.name, value: .text($0.value ?? "")) })
        return moved { $0.setBody(.data(Data(serializer.bytes)), type: .url()) }
    }

    /// Sends parameters as a form, and says `; charset=utf-8` in its media type for servers that ask for it.
    ///
    /// - Parameter params: The fields by name.
    /// - Returns: The query stage.
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` if a value has no form.
    public consuming func bodyFormUtf8(params: Params) throws -> RequestBuilder<QueryStage> {
        let data = try draft.options.formEncoder.encode(params)
        return moved { $0.setBody(.data(data), type: .url(useUTF8Charset: true)) }
    }

    /// Sends the parts that a closure adds as a form (RFC 7578 `multipart/form-data`), in their order.
    ///
    /// Files are streamed when the request is sent, and read again from the start when it is sent again.
    ///
    /// - Parameters:
    ///   - boundary: What separates the parts; random unless a test needs the same bytes every time.
    ///   - build: Adds the parts.
    /// - Returns: The query stage.
    /// - Throws: What the closure throws, such as ``MultipartFormFilePart/Error/invalidLocalFile(url:)``.
    public consuming func bodyMultipart(
        boundary: MultipartBoundary = .random(),
        _ build: (inout MultipartFormBuilder) throws -> Void
    ) rethrows -> RequestBuilder<QueryStage> {
        var builder = MultipartFormBuilder(boundary: boundary)
        try build(&builder)
        return bodyMultipart(builder.form)
    }

    /// Sends a form that was made elsewhere (RFC 7578 `multipart/form-data`).
    ///
    /// - Parameter form: The form; sent twice, it is the same bytes with the same boundary.
    /// - Returns: The query stage.
    public consuming func bodyMultipart(_ form: MultipartForm) -> RequestBuilder<QueryStage> {
        moved { $0.setBody(form.content(), type: form.mediaType) }
    }
}
