/// Encodes JSON bodies (RFC 8259) with Foundation's `JSONEncoder`.
///
/// Dates become ISO 8601 in UTC, as in `2024-01-02T03:04:05.678Z`, rounded to the millisecond and without the fraction
/// if it is zero; slashes are not escaped, data is Base64. The members of an object are sorted by name, so that equal
/// values have equal bytes: Foundation's own order differs from one encoding to the next. One encoder may be used from
/// several threads at once.
///
/// ```swift
/// let encoder = DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase)
/// let options = URLRequestBuilderOptions(encoder: encoder)
/// ```
public struct DefaultJsonEncoder: JSONDataEncoder {
    private let encoder: JSONEncoder

    private static let standard = DefaultJsonEncoder(keyEncodingStrategy: .useDefaultKeys)

    /// Creates an encoder that uses the names of the properties as keys.
    public init() {
        self = Self.standard
    }

    /// Creates an encoder that derives the keys from the names of the properties, for example with
    /// `.convertToSnakeCase`.
    public init(keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy) {
        encoder = JSONEncoder()
        encoder.keyEncodingStrategy = keyEncodingStrategy
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .custom(Self.encode)
    }

    /// Creates an encoder from a `JSONEncoder` with custom settings.
    ///
    /// - Parameter encoder: Used with all its settings, its date strategy included, and never modified. Do not change
    ///   it while a body is being encoded.
    public init(encoder: JSONEncoder) {
        self.encoder = encoder
    }

    /// Encodes one value as a complete JSON text in UTF-8.
    ///
    /// - Throws: `BodyEncodingError.json` for a number that is not finite, a date outside the years 0001 to 9999 (such
    ///   as `Date.distantPast`), a value that encodes nothing or throws another error, and values nested deeper
    ///   than 128 levels, such as an object that contains itself.
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

    /// Returns the reason why a value is invalid, from its type only: the value and Foundation's text may be secret.
    private static func reason(against value: Any) -> String {
        if let number = value as? any BinaryFloatingPoint, !number.isFinite {
            "is a number that is not finite"
        } else {
            "is of type \(type(of: value)) and has no JSON form"
        }
    }
}

/// Encodes values as JSON bodies.
///
/// Use ``DefaultJsonEncoder`` unless a service needs another JSON dialect. To write one, throw ``BodyEncodingError``
/// for a value that can't be encoded. `encode(_:)` may be called from several threads at once.
public protocol JSONDataEncoder: Sendable {
    /// Encodes one value as a complete JSON text in UTF-8.
    ///
    /// - Throws: Any error; ``DefaultJsonEncoder`` throws only ``BodyEncodingError``.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}
