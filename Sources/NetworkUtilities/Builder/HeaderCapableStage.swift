/// A stage at which header fields can be given: ``QueryStage`` and ``HeaderStage``.
public protocol HeaderCapableStage: CompleteStage {}

extension RequestBuilder: HeaderBuilding where Stage: HeaderCapableStage {
    /// Adds a value to a header field: `v1` and `v2` become one field `v1,v2` (RFC 9110 §5.3).
    ///
    /// A field that can have one value only, such as `Authorization` or `Content-Type`, is replaced.
    ///
    /// - Parameter header: The field; one without a value changes nothing.
    /// - Returns: The header stage.
    public consuming func add(header: HeaderField) -> RequestBuilder<HeaderStage> {
        moved { $0.headers.add(header) }
    }

    /// Sets a header field, in place of any of that name and of what the body step supplied.
    ///
    /// - Parameter header: The field; one without a value removes the field of that name.
    /// - Returns: The header stage.
    public consuming func set(header: HeaderField) -> RequestBuilder<HeaderStage> {
        moved { $0.headers.set(header) }
    }

    /// Adds each field in turn: see ``add(header:)``.
    ///
    /// - Parameter headers: The fields.
    /// - Returns: The header stage.
    public consuming func add(headers: [HeaderField]) -> RequestBuilder<HeaderStage> {
        moved { draft in
            for header in headers { draft.headers.add(header) }
        }
    }

    /// Sets each field in turn: see ``set(header:)``.
    ///
    /// Of two with one name the later counts.
    ///
    /// - Parameter headers: The fields.
    /// - Returns: The header stage.
    public consuming func set(headers: [HeaderField]) -> RequestBuilder<HeaderStage> {
        moved { draft in
            for header in headers { draft.headers.set(header) }
        }
    }

    /// Sets the fields of a block, in place of any of their names and of what the body step supplied.
    ///
    /// Two with one name in the block become one, `v1,v2` (RFC 9110 §5.3); of a field that can have one value only,
    /// such as `Authorization`, the last is sent. See ``HeaderFieldsBuilder`` for what a block may hold.
    ///
    /// - Parameter fields: Gives the fields; one without a value removes the field of that name.
    /// - Returns: The header stage.
    /// - Throws: What the block throws, such as ``HeaderFieldError``.
    public consuming func headers(
        @HeaderFieldsBuilder _ fields: () throws -> [HeaderField]
    ) rethrows -> RequestBuilder<HeaderStage> {
        set(headers: HeaderField.joined(try fields()))
    }
}
