/// Encodes forms as browsers do (WHATWG URL, application/x-www-form-urlencoded serialising).
///
/// Names and values keep letters, digits and `*-._`; a space becomes `+`, and all other characters are escaped.
/// - Fields of a dictionary are sorted by name; properties of an `Encodable` type keep their order.
/// - A nested value has its name in brackets: `n[k]=1`. An array is `a[]=1&a[]=2`; if it contains arrays or objects,
///   it is written with positions: `a[0][k]=1`.
/// - Nil, `NSNull`, an empty array and an empty object are left out.
/// - A Boolean is `true` or `false`, a date ISO 8601, a number its Swift description (`2.0`, `1e+20`).
/// - `Data`, infinite numbers, objects that are not `Encodable` and more than 64 nested levels are errors.
///
/// A ``FormStyle`` changes how arrays, nested values, Booleans, dates and names are written.
///
/// ```swift
/// let body = try DefaultFormEncoder().encode(["name": "Ada L.", "tags": ["x", "y"]])
/// // name=Ada+L.&tags%5B%5D=x&tags%5B%5D=y
/// ```
public struct DefaultFormEncoder: FormDataEncoder {
    private let root: FormPath

    /// Creates an encoder that writes forms in a style.
    public init(style: FormStyle = .form) {
        root = .root(style)
    }

    /// Encodes a dictionary of parameters, sorted by name.
    ///
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` for a value that can't be encoded.
    public func encode(_ params: Params) throws(BodyEncodingError) -> Data {
        serialised(try fields(of: params))
    }

    /// Encodes the properties of a value as fields in their order; nil is a form without fields.
    ///
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` for a value that is not an object, or contains a value that
    ///   can't be encoded.
    public func encode<Value: Encodable>(of value: Value) throws(BodyEncodingError) -> Data {
        serialised(try fields(of: value))
    }

    /// Returns each parameter with its text, not escaped, for code that takes one text for each name.
    ///
    /// Nested values have the names of the style, such as `n[k]`. Elements of an array have their positions, as in
    /// `tags[0]`, unless the style joins them with commas. Nil and empty values are left out.
    ///
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` for a value that can't be encoded.
    public func strings(from params: Params) throws(BodyEncodingError) -> [String: String] {
        var strings: [String: String] = [:]
        for field in try fields(of: params) {
            field.value.collectTexts(named: field.name, style: root.style, in: &strings)
        }
        return strings
    }

    /// Returns the properties of a value as parameters, so that you can add more; nil has no properties.
    ///
    /// Texts, numbers, Booleans and dates become strings in the style; nested values are `Params` and arrays again.
    ///
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` for a value that is not an object, or contains a value that
    ///   can't be encoded.
    public func params<Value: Encodable>(from value: Value) throws(BodyEncodingError) -> Params {
        FormValue.params(try fields(of: value))
    }

    private func fields(of value: Any) throws(BodyEncodingError) -> [FormValue.Field] {
        do { return try root.fields(of: value) } catch { throw .form(path: error.path, reason: error.reason) }
    }

    private func serialised(_ fields: [FormValue.Field]) -> Data {
        var serializer = FormSerializer(.form, style: root.style)
        serializer.append(fields)
        return Data(serializer.bytes)
    }
}

extension FormValue {
    /// Adds the texts of a value and its parts, which are nested at most as deeply as a form can be.
    fileprivate func collectTexts(named name: String, style: FormStyle, in strings: inout [String: String]) {
        switch self {
        case .null: break
        case .text(let text): strings[name] = text
        case .array(let elements):
            if style.arrays == .comma, !elements.contains(where: \.isNested) {
                let texts = elements.compactMap(\.text)
                if !texts.isEmpty { strings[name] = texts.joined(separator: ",") }
            } else {
                for (index, element) in elements.enumerated() {
                    element.collectTexts(named: "\(name)[\(index)]", style: style, in: &strings)
                }
            }
        case .object(let fields):
            for field in fields {
                let part = style.nesting.usesDots ? "\(name).\(field.name)" : "\(name)[\(field.name)]"
                field.value.collectTexts(named: part, style: style, in: &strings)
            }
        }
    }

    fileprivate static func params(_ fields: [Field]) -> Params {
        fields.reduce(into: [:]) { params, field in params[field.name] = field.value.parameter }
    }

    /// The value as a parameter; nil for nil.
    private var parameter: Any? {
        switch self {
        case .null: nil
        case .text(let text): text
        case .array(let elements): elements.compactMap(\.parameter)
        case .object(let fields): Self.params(fields)
        }
    }
}
