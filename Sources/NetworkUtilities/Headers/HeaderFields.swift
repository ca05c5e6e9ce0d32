/// The header fields that the steps of a builder have collected, in their order.
///
/// Names are compared one by one, without hashing: fastest for the 5 to 20 fields of a usual request, while 10,000
/// fields take 50 million comparisons.
struct HeaderFields: Sendable {
    /// One field for each name.
    ///
    /// A field without a value was removed by a step, and suppresses the default field of that name.
    private var entries: [HeaderField] = []

    /// Replaces the field of that name; a field without a value removes it.
    mutating func set(_ field: HeaderField) {
        guard field.isNamed else { return }
        entries.removeAll { HeaderField.isSameName($0.name, field.name) }
        entries.append(field)
    }

    /// Combines the field with the one of that name (RFC 9110 §5.3); a field without a value changes nothing.
    mutating func add(_ field: HeaderField) {
        if field.value != nil { entries.join(field) }
    }

    /// Returns the values by name, with the default content type unless a step has set or removed `Content-Type`.
    func merged(defaultContentType: MediaType?) -> [String: String] {
        var result: [String: String] = [:]
        guard !entries.isEmpty || defaultContentType != nil else { return result }
        result.reserveCapacity(entries.count + 1)
        var hasContentType = defaultContentType == nil
        for field in entries {
            if !hasContentType, HeaderField.isSameName(field.name, "Content-Type") { hasContentType = true }
            if let value = field.value { result[field.name] = value }
        }
        if !hasContentType, let defaultContentType { result["Content-Type"] = defaultContentType.value }
        return result
    }
}

/// Collects header fields in a block with `if`, `switch`, `for` and optionals, for ``RequestBuilder``.
///
/// ```swift
/// let etag: EntityTag? = nil
/// let languages = ["el", "en"]
/// let request = URLRequest.get(url: url)
///     .headers {
///         HeaderField.accept(type: .json)
///         HeaderField.authorization(.bearer(authToken))
///         if let etag { HeaderField.ifNoneMatch([etag]) }
///         for language in languages { HeaderField.language(value: language) }
///     }
///     .build()
/// ```
///
/// Write `HeaderField` before each factory: a line that begins with a dot continues the line above.
@resultBuilder
public enum HeaderFieldsBuilder {
    /// Adds one field.
    public static func buildExpression(_ field: HeaderField) -> [HeaderField] { [field] }

    /// Adds an optional field.
    public static func buildExpression(_ field: HeaderField?) -> [HeaderField] { field.map { [$0] } ?? [] }

    /// Adds several fields.
    public static func buildExpression(_ fields: [HeaderField]) -> [HeaderField] { fields }

    /// Adds a dictionary, sorted by name; an entry that is nil is a field without a value, which removes fields of its
    /// name.
    public static func buildExpression(_ fields: [String: String?]) -> [HeaderField] { HeaderField.fields(fields) }

    /// Supports an empty block.
    public static func buildBlock() -> [HeaderField] { [] }

    /// Supports the first line of a block.
    public static func buildPartialBlock(first: [HeaderField]) -> [HeaderField] { first }

    /// Supports each line after the first.
    public static func buildPartialBlock(accumulated: [HeaderField], next: [HeaderField]) -> [HeaderField] {
        accumulated + next
    }

    /// Supports `if` without `else`.
    public static func buildOptional(_ fields: [HeaderField]?) -> [HeaderField] { fields ?? [] }

    /// Supports the first branch of `if` and `switch`.
    public static func buildEither(first fields: [HeaderField]) -> [HeaderField] { fields }

    /// Supports the other branches of `if` and `switch`.
    public static func buildEither(second fields: [HeaderField]) -> [HeaderField] { fields }

    /// Supports `for`.
    public static func buildArray(_ fields: [[HeaderField]]) -> [HeaderField] { Array(fields.joined()) }

    /// Supports `if #available`.
    public static func buildLimitedAvailability(_ fields: [HeaderField]) -> [HeaderField] { fields }
}
