public import Foundation

/// Encodes forms as browsers do (WHATWG URL, application/x-www-form-urlencoded serialising).
///
/// A space becomes `+`; only letters, digits and `*-._` stay bare, in names as in values.
/// - Fields of a dictionary are sorted by name; properties of an `Encodable` type keep their order.
/// - A nested value is named in brackets: `n[k]=1`. An array is `a[]=1&a[]=2`; if it holds arrays or objects it is
///   written with positions: `a[0][k]=1`.
/// - Nil, `NSNull`, an empty array and an empty object are left out.
/// - A Boolean is `true` or `false`, a date ISO 8601, a number what its Swift description is (`2.0`, `1e+20`).
/// - `Data`, an infinite number, an object that is not `Encodable` and what is nested deeper than 64 levels are errors.
///
/// A ``FormStyle`` changes how arrays, nested values, Booleans, dates and names are written.
///
/// ```swift
/// let body = try DefaultFormEncoder().encode(["name": "Ada L.", "tags": ["x", "y"]])
/// // name=Ada+L.&tags%5B%5D=x&tags%5B%5D=y
/// ```
public struct DefaultFormEncoder: FormDataEncoder {
    private let root: FormPath

    /// Takes the style in which forms are written.
    ///
    /// - Parameter style: How arrays, nested values, Booleans, dates and names are written.
    public init(style: FormStyle = .form) {
        root = .root(style)
    }

    /// Encodes a dictionary of parameters, sorted by name.
    ///
    /// - Parameter params: The fields by name.
    /// - Returns: The bytes of the body.
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` for a value that has no form.
    public func encode(_ params: Params) throws(BodyEncodingError) -> Data {
        serialised(try FormValue(params: params, at: root).fields(at: root))
    }

    /// Encodes a value whose properties are the fields of the form, in their order.
    ///
    /// - Parameter value: A value that encodes as an object, or nil for a form without fields.
    /// - Returns: The bytes of the body.
    /// - Throws: ``BodyEncodingError/form(path:reason:)`` for a value that is no object, or has a part without a form.
    public func encode<Value: Encodable>(of value: Value) throws(BodyEncodingError) -> Data {
        serialised(try FormValue(encoding: value, at: root).fields(at: root))
    }

    private func serialised(_ fields: [FormValue.Field]) -> Data {
        var serializer = FormSerializer(.form, style: root.style)
        serializer.append(fields)
        return Data(serializer.bytes)
    }
}
