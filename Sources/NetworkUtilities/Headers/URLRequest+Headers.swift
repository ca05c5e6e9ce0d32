extension URLRequest {
    /// The name of ``HeaderField`` in requests.
    public typealias HeaderType = HeaderField

    /// The name of ``MediaType`` in requests.
    public typealias ContentType = MediaType

    /// Sets a field and replaces the one of that name; a field without a value removes it.
    public mutating func set(header: HeaderField) {
        change { $0.set(header) }
    }

    /// Adds a value to a field: `v1` and `v2` become one field `v1,v2` (RFC 9110 §5.3).
    ///
    /// A field that can have only one value, such as `Authorization` or `Content-Type`, is replaced. A field without a
    /// value changes nothing.
    public mutating func add(header: HeaderField) {
        guard header.value != nil else { return }
        change { $0.add(header) }
    }

    /// Sets each field as ``set(header:)`` does; of two fields with one name, the later one wins.
    public mutating func set(headers: [HeaderField]) {
        change { fields in
            for header in headers { fields.set(header) }
        }
    }

    /// Adds each field as ``add(header:)`` does.
    public mutating func add(headers: [HeaderField]) {
        change { fields in
            fields.reserveCapacity(fields.count + headers.count)
            for header in headers { fields.add(header) }
        }
    }

    /// Returns a copy with a field set: see ``set(header:)``.
    public func setting(header: HeaderField) -> URLRequest { copy { $0.set(header: header) } }

    /// Returns a copy with a value added to a field: see ``add(header:)``.
    public func adding(header: HeaderField) -> URLRequest { copy { $0.add(header: header) } }

    /// Returns a copy with each field set: see ``set(headers:)``.
    public func setting(headers: [HeaderField]) -> URLRequest { copy { $0.set(headers: headers) } }

    /// Returns a copy with each field added: see ``add(headers:)``.
    public func adding(headers: [HeaderField]) -> URLRequest { copy { $0.add(headers: headers) } }

    private func copy(_ change: (inout URLRequest) -> Void) -> URLRequest {
        var copy = self
        change(&copy)
        return copy
    }

    /// Reads and assigns all fields once: each access copies them.
    private mutating func change(_ body: (inout [String: String]) -> Void) {
        var fields = allHTTPHeaderFields ?? [:]
        body(&fields)
        replaceAllFields(by: fields)
    }

    /// Assigns the fields with the spelling of their names.
    ///
    /// On Linux, `setValue` would change the case of names. On Apple platforms, an assignment adds to the existing
    /// fields, so that removed fields are set to nil first.
    package mutating func replaceAllFields(by fields: [String: String]) {
        for name in (allHTTPHeaderFields ?? [:]).keys where fields[name] == nil {
            setValue(nil, forHTTPHeaderField: name)
        }
        allHTTPHeaderFields = fields
    }
}

extension [String: String] {
    fileprivate mutating func set(_ header: HeaderField) {
        guard header.isNamed else { return }
        for name in keys where HeaderField.isSameName(name, header.name) { self[name] = nil }
        self[header.name] = header.value
    }

    fileprivate mutating func add(_ header: HeaderField) {
        guard let value = header.value else { return }
        if let name = keys.first(where: { HeaderField.isSameName($0, header.name) }), let first = self[name] {
            self[name] = HeaderField.combined(name, first, value)
        } else {
            self[header.name] = value
        }
    }
}
