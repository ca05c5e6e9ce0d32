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
        serialised(try FormValue(params: params, at: root).fields(at: root))
    }

    /// Encodes the properties of a value as fields in their order; nil is a form without fields.
    ///
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` for a value that is not an object, or contains a value that
    ///   can't be encoded.
    public func encode<Value: Encodable>(of value: Value) throws(BodyEncodingError) -> Data {
        serialised(try FormValue(encoding: value, at: root).fields(at: root))
    }

    /// Returns each parameter with its text, not escaped, for code that takes one text for each name.
    ///
    /// Nested values have the names of the style, such as `n[k]`. Elements of an array have their positions, as in
    /// `tags[0]`, unless the style joins them with commas. Nil and empty values are left out.
    ///
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` for a value that can't be encoded.
    public func strings(from params: Params) throws(BodyEncodingError) -> [String: String] {
        var strings: [String: String] = [:]
        for field in try FormValue(params: params, at: root).fields(at: root) {
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
        FormValue.params(try FormValue(encoding: value, at: root).fields(at: root))
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

/// Encodes parameters as an `application/x-www-form-urlencoded` body.
///
/// Use ``DefaultFormEncoder`` unless a service reads forms in its own way; then write ``encode(_:)``. Both methods may
/// be called from several threads at once.
public protocol FormDataEncoder: Sendable {
    /// Encodes a dictionary of parameters.
    ///
    /// - Throws: Any error; ``DefaultFormEncoder`` throws only ``BodyEncodingError``.
    func encode(_ params: Params) throws -> Data

    /// Encodes a value whose properties are the fields of the form.
    ///
    /// By default, the parameters that ``DefaultFormEncoder/params(from:)`` makes of the value are encoded; implement
    /// this method to keep the order of the properties.
    /// - Throws: Any error; ``DefaultFormEncoder`` throws only ``BodyEncodingError``.
    func encode<Value: Encodable>(of value: Value) throws -> Data
}

extension FormDataEncoder {
    /// Encodes the properties of a value as parameters, which have no order.
    ///
    /// - Throws: The errors of ``DefaultFormEncoder/params(from:)`` and ``encode(_:)``.
    public func encode<Value: Encodable>(of value: Value) throws -> Data {
        try encode(DefaultFormEncoder().params(from: value))
    }

    /// Encodes a dictionary of parameters as text, such as `name=viktor&page=1`, for other places than a body.
    ///
    /// - Throws: The errors of ``encode(_:)``.
    public func percentEncodedString(params: Params) throws -> String {
        String(decoding: try encode(params), as: UTF8.self)
    }
}

/// The values of a form, an object in JSON, a query or a URI template by name.
///
/// A value is a string, a number, a Boolean, a date, a URL, a UUID, any other `Encodable`, an array or a dictionary of
/// these, or an optional of any of them.
public typealias Params = [String: Any]

/// The error for a value that can't be encoded as a body.
///
/// Its text names the place in the value and the reason, never the value itself.
@nonexhaustive
public enum BodyEncodingError: Error, Sendable, Equatable {
    /// The value can't be written as JSON, such as an infinite number.
    ///
    /// - Parameters:
    ///   - path: The place in the value, as in `orders[2].price`; empty for the value itself.
    ///   - reason: The end of a sentence that begins with the place.
    case json(path: String, reason: String)

    /// The value can't be written as `application/x-www-form-urlencoded`, such as `Data`.
    ///
    /// - Parameters:
    ///   - path: The place in the parameters, as in `filter[tags][0]`; empty for the value itself.
    ///   - reason: The end of a sentence that begins with the place.
    case form(path: String, reason: String)
}

extension BodyEncodingError: SelfDescribingError {
    /// One sentence that names the place and the reason.
    public var description: String {
        switch self {
        case .json(let path, let reason):
            "The JSON body cannot be encoded: \(path.isEmpty ? "the value" : "'\(path)'") \(reason)."
        case .form(let path, let reason):
            "The form body cannot be encoded: \(path.isEmpty ? "the value" : "'\(path)'") \(reason)."
        }
    }
}
