/// The header fields of a request in the making, in the order in which they were given.
struct HeaderFields: Sendable {
    /// A field without a value stands for one that was removed, so that no default takes its place.
    private var entries: [HeaderField] = []

    /// Replaces all fields of that name; one without a value removes them.
    mutating func set(_ field: HeaderField) {
        guard HTTPToken.isValid(field.name) else { return }
        entries.removeAll { HeaderField.isSameName($0.name, field.name) }
        entries.append(field)
    }

    /// Adds a value; one without a value changes nothing.
    mutating func add(_ field: HeaderField) {
        guard field.value != nil else { return }
        entries.append(field)
    }

    /// The fields by name, those of one name joined by commas (RFC 9110 §5.3).
    func merged(defaultContentType: MediaType?) -> [String: String] {
        var result: [String: String] = [:]
        var hasContentType = defaultContentType == nil
        for field in entries {
            if !hasContentType, HeaderField.isSameName(field.name, "Content-Type") { hasContentType = true }
            guard let value = field.value else { continue }
            if let first = result[field.name] {
                result[field.name] = "\(first),\(value)"
            } else if let name = result.keys.first(where: { HeaderField.isSameName($0, field.name) }) {
                result[name] = "\(result[name] ?? ""),\(value)"
            } else {
                result[field.name] = value
            }
        }
        if !hasContentType, let defaultContentType { result["Content-Type"] = defaultContentType.value }
        return result
    }
}
