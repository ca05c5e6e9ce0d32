public import Foundation

/// Encodes JSON bodies (RFC 8259) with Foundation's `JSONEncoder`.
///
/// Dates become ISO 8601 in UTC, as in `2024-01-02T03:04:05.678Z`, rounded to the millisecond and without the fraction
/// if it is zero; slashes are not escaped, data is Base64. The members of an object are sorted by name, so that equal
/// values are equal bytes: Foundation's own order differs from one encoding to the next. One encoder may be used from
/// several threads at once.
///
/// ```swift
/// let options = URLRequestBuilderOptions(encoder: DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase))
/// ```
public struct DefaultJsonEncoder: JSONDataEncoder {
    private let encoder: JSONEncoder

    private static let standard = DefaultJsonEncoder(keyEncodingStrategy: .useDefaultKeys)

    /// Keys as the properties are named.
    public init() {
        self = Self.standard
    }

    /// Keys made from the names of the properties.
    ///
    /// - Parameter keyEncodingStrategy: How a key is made, such as `.convertToSnakeCase`.
    public init(keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy) {
        encoder = JSONEncoder()
        encoder.keyEncodingStrategy = keyEncodingStrategy
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .custom(Self.encode)
    }

    /// An encoder of your own, for all that is not covered here.
    ///
    /// - Parameter encoder: Used as it is, its date strategy included, and never modified. Do not change it while a
    ///   body is being encoded.
    public init(encoder: JSONEncoder) {
        self.encoder = encoder
    }

    /// Encodes one value as a complete JSON text in UTF-8.
    ///
    /// - Parameter value: What to encode.
    /// - Returns: The bytes of the body.
    /// - Throws: `BodyEncodingError.json` for what has no JSON form: a number that is not finite, a date outside the
    ///   years 0001 to 9999 (as `Date.distantPast` is), a value that encodes nothing or throws an error of its own, and
    ///   values nested deeper than 128 levels, as an object that holds itself is.
    public func encode<Value: Encodable>(_ value: Value) throws(BodyEncodingError) -> Data {
        try JSONProbe.check(value, userInfo: encoder.userInfo)
        do {
            return try encoder.encode(value)
        } catch let error as BodyEncodingError {
            throw error
        } catch EncodingError.invalidValue(let invalid, let context) {
            throw .json(path: CodingPath(context.codingPath).description, reason: Self.reason(against: invalid))
        } catch {
            throw .json(path: "", reason: "threw \(type(of: error)) while it was encoded")
        }
    }

    private static func encode(_ date: Date, to encoder: any Encoder) throws {
        guard let text = InternetDateTime.text(of: date) else {
            throw BodyEncodingError.json(
                path: CodingPath(encoder.codingPath).description,
                reason: "is a date outside the years 0001 to 9999"
            )
        }
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// What is wrong with a value, by its type alone: neither the value nor a text that may quote it.
    private static func reason(against value: Any) -> String {
        if let number = value as? any BinaryFloatingPoint, !number.isFinite {
            "is a number that is not finite"
        } else {
            "is of type \(type(of: value)) and has no JSON form"
        }
    }
}
