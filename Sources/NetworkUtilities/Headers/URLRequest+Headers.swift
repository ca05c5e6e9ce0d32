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
        guard HTTPToken.isValid(header.name) else { return }
        var fields = allHTTPHeaderFields ?? [:]
        for name in fields.keys where HeaderField.isSameName(name, header.name) {
            fields[name] = nil
        }
        fields[header.name] = header.value
        replaceAllFields(by: fields)
    }

    /// Adds a value to a field: `v1` and `v2` become one field `v1,v2` (RFC 9110 §5.3).
    ///
    /// - Parameter header: The field; one without a value changes nothing.
    public mutating func add(header: HeaderField) {
        guard let value = header.value else { return }
        var fields = allHTTPHeaderFields ?? [:]
        if let name = fields.keys.first(where: { HeaderField.isSameName($0, header.name) }), let first = fields[name] {
            fields[name] = "\(first),\(value)"
        } else {
            fields[header.name] = value
        }
        replaceAllFields(by: fields)
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

    /// Assigns the fields as they are spelled: `setValue` would change the case of their names on Linux, and an
    /// assignment adds to the fields that are there on Apple platforms, so what is to go is set to nil first.
    package mutating func replaceAllFields(by fields: [String: String]) {
        for name in (allHTTPHeaderFields ?? [:]).keys where fields[name] == nil {
            setValue(nil, forHTTPHeaderField: name)
        }
        allHTTPHeaderFields = fields
    }
}
