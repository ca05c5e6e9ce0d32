/// A complete form (WHATWG `application/x-www-form-urlencoded`) as a value: its media type and its bytes.
///
/// Use the steps `bodyForm(of:)`, `bodyForm(params:)`, `bodyForm(pairs:)` and `bodyForm(items:)` of the builder where a
/// request is built; use this type where a body is a property, and for a ``FormStyle`` of one form.
///
/// ```swift
/// let form = URLEncodedForm(pairs: [
///     "grant_type": "client_credentials", "scope": "read write",
/// ])
/// // grant_type=client_credentials&scope=read+write
/// ```
public struct URLEncodedForm: RequestBody, Hashable {
    private let bytes: Data

    /// Creates a form from texts that are not escaped, in their order; a pair without a value is left out.
    public init(pairs: KeyValuePairs<String, String?>) {
        self.init(fields: pairs.map { FormValue.Field(name: $0.key, value: $0.value.map(FormValue.text) ?? .null) })
    }

    /// Creates a form from items in their order; an item without a value has an empty one.
    public init(items: [URLQueryItem]) {
        self.init(fields: items.map { FormValue.Field(name: $0.name, value: .text($0.value ?? "")) })
    }

    /// Creates a form from the properties of a value in their order; throws as ``DefaultFormEncoder`` does.
    public init<Value: Encodable>(of value: Value, style: FormStyle = .form) throws(BodyEncodingError) {
        bytes = try DefaultFormEncoder(style: style).encode(of: value)
    }

    /// Creates a form from parameters, sorted by name; throws as ``DefaultFormEncoder`` does.
    public init(params: Params, style: FormStyle = .form) throws(BodyEncodingError) {
        bytes = try DefaultFormEncoder(style: style).encode(params)
    }

    private init(fields: [FormValue.Field]) {
        var serializer = FormSerializer(.form, style: .form)
        serializer.append(fields)
        bytes = Data(serializer.bytes)
    }

    /// `application/x-www-form-urlencoded`.
    public var mediaType: MediaType? { .url() }

    /// Returns the escaped names and values.
    public func makeContent() -> RequestContent { .data(bytes) }
}

extension URLEncodedForm: OpaqueValue {
    /// The number of bytes.
    public var description: String { "a form of \(bytes.count) bytes" }
}
