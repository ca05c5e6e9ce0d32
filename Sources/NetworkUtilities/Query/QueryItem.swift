/// A named value of a query, for a block of ``RequestBuilder``'s `query` step.
///
/// A value that is nil or an empty array adds nothing. An array is one item for each element.
public struct QueryItem: Hashable, Sendable {
    let encoded: EncodedQueryItems

    /// The name, not escaped.
    public var name: String { encoded.name }

    private init(_ encoded: EncodedQueryItems) {
        self.encoded = encoded
    }

    /// Creates an item from a value with one text that is not escaped, such as a string, an integer or a
    /// Boolean.
    public init(_ name: String, value: (any URLTextConvertible)?) {
        self.init(EncodedQueryItems(name, value?.urlText))
    }

    /// Creates the items of an array, in the style that the service expects.
    public init<Value: URLTextConvertible>(
        _ name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle = .repeated
    ) {
        self.init(EncodedQueryItems(name, value?.map(\.urlText) ?? [], arrays: arrays))
    }

    /// Creates the items of any `Encodable` value: a number with a fraction, a date, an object.
    ///
    /// Throws ``QueryEncodingError`` for `Data`, an infinite number and more than 64 nested levels.
    @_disfavoredOverload
    public init<Value: Encodable>(
        _ name: String,
        value: Value?,
        style: FormStyle = .query
    ) throws(QueryEncodingError) {
        self.init(try EncodedQueryItems(any: value as Any, named: name, style: style))
    }

    /// Creates the items of the properties of a value in their order, or of the entries of a dictionary sorted by name.
    ///
    /// Properties that are nil or empty add nothing; an entry of a dictionary that is nil, or a nil that is encoded,
    /// only removes items of its name in a block. Throws ``QueryEncodingError`` if the value doesn't encode as an
    /// object, or a property can't be encoded.
    public static func items<Value: Encodable>(
        of value: Value,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> [QueryItem] {
        try EncodedQueryItems.properties(of: value, style: style).map { QueryItem($0) }
    }

    /// Creates the items of parameters of several types, sorted by name; nil and errors are as for
    /// ``items(of:style:)``.
    public static func items(
        params: Params,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> [QueryItem] {
        try EncodedQueryItems.properties(of: params, style: style).map { QueryItem($0) }
    }

    /// Creates an item from a `URLQueryItem`; without a value it is its name alone, as in `?flag`.
    public init(_ item: URLQueryItem) {
        self.init(EncodedQueryItems(item))
    }

    /// Creates the items of a value of any type; throws as the initialiser for `Encodable` values does.
    package init(_ name: String, any value: Any, style: FormStyle) throws(QueryEncodingError) {
        self.init(try EncodedQueryItems(any: value, named: name, style: style))
    }
}

extension QueryItem: OpaqueValue {
    /// The name, without the value.
    public var description: String { "the query item \(name.debugDescription)" }
}

/// Collects query items in a block with `if`, `switch`, `for` and optionals, for ``RequestBuilder``.
///
/// ```swift
/// let tags = ["new", "sale"]
/// let request = URLRequest.get(url: url)
///     .query {
///         QueryItem("page", value: 2)
///         for tag in tags { QueryItem("tag", value: tag) }
///         ["lang": "el"]
///     }
///     .build()
/// // ?page=2&tag=new&tag=sale&lang=el
/// ```
@resultBuilder
public enum QueryItemsBuilder: BlockBuilding {
    /// The type of the elements.
    public typealias Element = QueryItem

    /// Adds one `URLQueryItem`; without a value it is its name alone.
    public static func buildExpression(_ item: URLQueryItem) -> [QueryItem] { [QueryItem(item)] }

    /// Adds several `URLQueryItem` values.
    public static func buildExpression(_ items: [URLQueryItem]) -> [QueryItem] { items.map { QueryItem($0) } }

    /// Adds a dictionary of values with one text each, such as strings and integers, sorted by name; an entry that is
    /// nil only removes items of its name.
    public static func buildExpression(_ items: [String: (any URLTextConvertible)?]) -> [QueryItem] {
        items.sorted { $0.key < $1.key }.map { QueryItem($0.key, value: $0.value) }
    }
}
