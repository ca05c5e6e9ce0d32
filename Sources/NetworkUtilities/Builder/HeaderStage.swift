/// The last stage: header fields.
public enum HeaderStage: HeaderCapableStage, QuerylessStage {}

/// A stage at which header fields can be given: ``QueryStage`` and ``HeaderStage``.
public protocol HeaderCapableStage: CompleteStage {}

/// A builder that accepts header fields, at any such stage; `URLRequest.HeaderBuilder` stands for these builders.
///
/// Use it as the parameter type of functions that add fields to a request which the caller has begun. Other types need
/// not conform. Pass such a builder to a client as `builder.build()`.
public protocol HeaderBuilding: ResultBuilding {
    /// Adds a value to a header field.
    func add(header: HeaderField) -> RequestBuilder<HeaderStage>

    /// Sets a header field, replacing any field of that name.
    func set(header: HeaderField) -> RequestBuilder<HeaderStage>

    /// Adds each field in turn.
    func add(headers: [HeaderField]) -> RequestBuilder<HeaderStage>

    /// Sets each field in turn.
    func set(headers: [HeaderField]) -> RequestBuilder<HeaderStage>

    /// Sets the fields of a block, replacing any fields of their names; rethrows the errors of the block.
    func headers(@HeaderFieldsBuilder _ fields: () throws -> [HeaderField]) rethrows -> RequestBuilder<HeaderStage>
}

extension HeaderBuilding {
    /// Adds each field of a dictionary, sorted by name, as ``add(header:)`` does; nil changes nothing.
    public func add(headers: [String: String?]) -> RequestBuilder<HeaderStage> {
        add(headers: HeaderField.fields(headers))
    }

    /// Sets each field of a dictionary, sorted by name, as ``set(header:)`` does; nil removes the field.
    public func set(headers: [String: String?]) -> RequestBuilder<HeaderStage> {
        set(headers: HeaderField.fields(headers))
    }

    /// Sets the fields of a dictionary as a block does, replacing any fields of their names; nil removes a field.
    public func headers(_ fields: [String: String?]) -> RequestBuilder<HeaderStage> { headers { fields } }
}

extension RequestBuilder: HeaderBuilding where Stage: HeaderCapableStage {
    /// Adds a value to a header field: `v1` and `v2` become one field `v1,v2` (RFC 9110 §5.3).
    ///
    /// A field that can have one value only, such as `Authorization` or `Content-Type`, is replaced. A field without a
    /// value changes nothing.
    public consuming func add(header: HeaderField) -> RequestBuilder<HeaderStage> {
        moved { $0.headers.add(header) }
    }

    /// Sets a header field, replacing any field of that name and the `Content-Type` of the body step.
    ///
    /// A field without a value removes the field of that name.
    public consuming func set(header: HeaderField) -> RequestBuilder<HeaderStage> {
        moved { $0.headers.set(header) }
    }

    /// Adds each field in turn: see ``add(header:)``.
    public consuming func add(headers: [HeaderField]) -> RequestBuilder<HeaderStage> {
        moved { draft in
            for header in headers { draft.headers.add(header) }
        }
    }

    /// Sets each field in turn: see ``set(header:)``.
    ///
    /// The last of several fields with one name is sent.
    public consuming func set(headers: [HeaderField]) -> RequestBuilder<HeaderStage> {
        moved { draft in
            for header in headers { draft.headers.set(header) }
        }
    }

    /// Sets the fields of a block, replacing any fields of their names and the `Content-Type` of the body step.
    ///
    /// Two fields with one name in the block become one, `v1,v2` (RFC 9110 §5.3); of a field that can have one value
    /// only, such as `Authorization`, the last is sent. A field without a value removes the field of that name. See
    /// ``HeaderFieldsBuilder`` for what a block may contain.
    ///
    /// - Throws: The errors of the block, such as ``HeaderFieldError``.
    public consuming func headers(
        @HeaderFieldsBuilder _ fields: () throws -> [HeaderField]
    ) rethrows -> RequestBuilder<HeaderStage> {
        set(headers: HeaderField.joined(try fields()))
    }
}
