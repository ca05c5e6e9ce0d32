#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// The name that requests have for ``HeaderField``.
    public typealias HeaderType = HeaderField

    /// The name that requests have for ``MediaType``.
    public typealias ContentType = MediaType

    /// Sets a field, in place of any of that name.
    ///
    /// - Parameter header: The field; one without a value removes the field of that name.
    public mutating func set(header: HeaderField) {
        change { $0.set(header) }
    }

    /// Adds a value to a field: `v1` and `v2` become one field `v1,v2` (RFC 9110 §5.3).
    ///
    /// A field that can have one value only, such as `Authorization` or `Content-Type`, is replaced.
    ///
    /// - Parameter header: The field; one without a value changes nothing.
    public mutating func add(header: HeaderField) {
        guard header.value != nil else { return }
        change { $0.add(header) }
    }

    /// Sets each field in turn: see ``set(header:)``.
    ///
    /// - Parameter headers: The fields; of two with one name the later counts.
    public mutating func set(headers: [HeaderField]) {
        change { fields in
            for header in headers { fields.set(header) }
        }
    }

    /// Adds each field in turn: see ``add(header:)``.
    ///
    /// - Parameter headers: The fields.
    public mutating func add(headers: [HeaderField]) {
        change { fields in
            for header in headers { fields.add(header) }
        }
    }

    /// A copy in which a field is set: see ``set(header:)``.
    ///
    /// - Parameter header: The field.
    /// - Returns: The changed copy.
    public func setting(header: HeaderField) -> URLRequest {
        var copy = self
        copy.set(header: header)
        return copy
    }

    /// A copy in which a value is added to a field: see ``add(header:)``.
    ///
    /// - Parameter header: The field.
    /// - Returns: The changed copy.
    public func adding(header: HeaderField) -> URLRequest {
        var copy = self
        copy.add(header: header)
        return copy
    }

    /// A copy in which each field is set in turn: see ``set(headers:)``.
    ///
    /// - Parameter headers: The fields.
    /// - Returns: The changed copy.
    public func setting(headers: [HeaderField]) -> URLRequest {
        var copy = self
        copy.set(headers: headers)
        return copy
    }

    /// A copy in which each field is added in turn: see ``add(headers:)``.
    ///
    /// - Parameter headers: The fields.
    /// - Returns: The changed copy.
    public func adding(headers: [HeaderField]) -> URLRequest {
        var copy = self
        copy.add(headers: headers)
        return copy
    }

    /// Reads and assigns all fields once, since each costs a copy of them.
    private mutating func change(_ body: (inout [String: String]) -> Void) {
        var fields = allHTTPHeaderFields ?? [:]
        body(&fields)
        replaceAllFields(by: fields)
    }

    /// Assigns the fields as they are spelled: `setValue` would change the case of their names on Linux, and an
    /// assignment adds to the fields that are there on Apple platforms, so what is to go is set to nil first.
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
