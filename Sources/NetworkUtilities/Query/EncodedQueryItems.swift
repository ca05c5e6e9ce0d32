/// The escaped query items of one value, under its name.
struct EncodedQueryItems {
    let name: String
    let items: [UInt8]
    /// The items that `set` replaces as well: the parts of an earlier value of that name.
    let parts: QueryItemParts

    private init(_ name: String, _ value: FormValue, _ style: FormStyle) {
        self.name = name
        items = Self.escaped(name, value, style)
        let partsOfNested: QueryItemParts = style.nesting.usesDots ? .inBracketsOrAfterADot : .inBrackets
        parts = value.isNested ? partsOfNested : .none
    }

    /// Encodes a value under a name; nil has no items.
    init(_ value: some Encodable, named name: String, style: FormStyle) throws(QueryEncodingError) {
        do {
            let path = try FormPath.root(style).appending(FormKey(stringValue: name))
            self.init(name, try FormValue(encoding: value, at: path), style)
        } catch {
            throw QueryEncodingError(error)
        }
    }

    /// Encodes each property that is not nil.
    static func properties(
        of value: some Encodable,
        style: FormStyle
    ) throws(QueryEncodingError) -> [EncodedQueryItems] {
        do {
            let root = FormPath.root(style)
            let fields = try FormValue(encoding: value, at: root).fields(at: root)
            return fields.filter { $0.value != .null }.map { EncodedQueryItems($0.name, $0.value, style) }
        } catch {
            throw QueryEncodingError(error)
        }
    }

    /// The escaped items of an array of strings.
    static func escaped(_ name: String, _ texts: [String], arrays: FormStyle.ArrayStyle) -> [UInt8] {
        escaped(name, .array(texts.map(FormValue.text)), FormStyle(arrays: arrays))
    }

    private static func escaped(_ name: String, _ value: FormValue, _ style: FormStyle) -> [UInt8] {
        var serializer = FormSerializer(.query, style: style)
        serializer.append(name, value)
        return serializer.bytes
    }
}

/// A value that can't be encoded as a query.
///
/// The description names the reason and the place in the value; it never contains the value itself.
public struct QueryEncodingError: Error, Sendable, Equatable {
    /// The place in the query, such as `filter[tags][0]`; empty for the value as a whole.
    public let path: String

    /// The reason, which follows the place in a sentence, such as `is not a finite number`.
    public let reason: String

    /// Creates the error for a place.
    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// Creates the error from that of a form with the same values.
    init(_ error: BodyEncodingError) {
        switch error {
        case .json(let path, let reason), .form(let path, let reason): self.init(path: path, reason: reason)
        }
    }
}

extension QueryEncodingError: CustomStringConvertible {
    /// A sentence that names the place and the reason.
    public var description: String {
        "The query cannot be encoded: \(path.isEmpty ? "the value" : "'\(path)'") \(reason)."
    }
}
