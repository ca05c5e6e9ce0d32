/// The escaped query items of one value, under its name.
struct EncodedQueryItems: Hashable, Sendable {
    let name: String
    let items: [UInt8]
    /// The items that `set` replaces as well: the parts of an earlier value of that name.
    let parts: QueryItemParts

    private init(_ name: String, _ value: FormValue, _ style: FormStyle, type: Any.Type? = nil) {
        var serializer = FormSerializer(.query, style: style)
        serializer.append(name, value)
        (self.name, items) = (name, serializer.bytes)
        let partsOfNested: QueryItemParts = style.nesting.usesDots ? .inBracketsOrAfterADot : .inBrackets
        let mayHaveParts = value == .null && type.map { FormType.mayHaveParts($0) } == true
        parts = value.isNested || mayHaveParts ? partsOfNested : .none
    }

    /// Encodes an array of strings under a name.
    init(_ name: String, _ texts: [String], arrays: FormStyle.ArrayStyle) {
        self.init(name, .array(texts.map(FormValue.text)), FormStyle(arrays: arrays))
    }

    /// Encodes a string under a name; nil has no items.
    init(_ name: String, _ text: String?) {
        var bytes: [UInt8] = []
        if let text { PercentEncoding.query.append(name, text, to: &bytes) }
        (self.name, items, parts) = (name, bytes, .none)
    }

    /// Escapes one item; an item without a value becomes its name alone.
    init(_ item: URLQueryItem) {
        var bytes: [UInt8] = []
        PercentEncoding.query.append(item.name, item.value, to: &bytes)
        (name, items, parts) = (item.name, bytes, .none)
    }

    /// Encodes a value of any type under a name; nil has no items.
    init(any value: Any, named name: String, style: FormStyle) throws(QueryEncodingError) {
        do {
            self.init(name, try FormValue.Field(name, value, in: .root(style)).value, style, type: type(of: value))
        } catch {
            throw QueryEncodingError(path: error.path, reason: error.reason)
        }
    }

    /// Encodes each property of a value; an entry of a dictionary that is nil, or a nil that is encoded, has no items.
    static func properties(of value: Any, style: FormStyle) throws(QueryEncodingError) -> [EncodedQueryItems] {
        do {
            let fields = try FormPath.root(style).fields(of: value)
            let hasNil = fields.contains { $0.value == .null }
            let values = hasNil ? (value as? any FormKeyed)?.namedValues(style) ?? [] : []
            return fields.map { field in
                let known = field.value == .null ? values.first { $0.name == field.name }?.value : nil
                return EncodedQueryItems(field.name, field.value, style, type: known.map { type(of: $0) })
            }
        } catch {
            throw QueryEncodingError(path: error.path, reason: error.reason)
        }
    }
}

/// The error for a value that can't be encoded as a query.
///
/// The description names the reason and the place in the value; it never contains the value itself.
public struct QueryEncodingError: Error, Sendable, Equatable {
    /// The place in the query, such as `filter[tags][0]`; empty for the value as a whole.
    public let path: String

    /// The reason, which follows the place in a sentence, such as `is not a finite number`.
    public let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

extension QueryEncodingError: DescribedError {
    /// A sentence that names the place and the reason.
    public var description: String {
        "The query cannot be encoded: \(ValueFailure(path: path, reason: reason))."
    }
}
