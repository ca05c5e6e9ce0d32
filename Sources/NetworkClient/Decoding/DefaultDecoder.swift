public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Decodes JSON (RFC 8259), and the plain types that services also answer with.
///
/// - `Data` is the exact bytes.
/// - `String` is the body as text in the charset of `Content-Type`, UTF-8 if it names none, without a byte order mark,
///   which takes precedence. All labels of the WHATWG Encoding standard are known; Linux converts with `iconv`, whose
///   converters some distributions install separately (Fedora and RHEL: `glibc-gconv-extra`). If the type is JSON, or
///   the response names no type, a body that is one JSON string literal is decoded: `"Hello"` becomes `Hello`.
/// - `Bool` is `true` or `false` in any letter case, quoted or not, with white space around it.
/// - Optionals of these are nil for `null`.
/// - Anything else is JSON. Dates are ISO 8601 in any of its usual forms (`2024-01-02T03:04:05.678Z`, other fractions,
///   `+02:00`, `+0200`, `+02` or no zone, which is UTC; no seconds; a day alone) or seconds since 1970 as a number.
///
/// An empty body is an error for JSON, also for an Optional: see ``DecoderProtocol/handlingOptionalResponses``. So is
/// JSON that is nested deeper than 128 levels, which could exhaust the stack.
public struct DefaultDecoder: DecoderProtocol {
    private let decoder: JSONDecoder

    fileprivate static let standard = DefaultDecoder()

    /// Keys as the properties are named.
    public init() {
        self.init(keyDecodingStrategy: .useDefaultKeys)
    }

    /// Keys translated to the names of the properties.
    ///
    /// - Parameter keyDecodingStrategy: How a key is translated, such as `.convertFromSnakeCase`.
    public init(keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy) {
        decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keyDecodingStrategy
        decoder.dateDecodingStrategy = .custom(FlexibleDate.decode)
    }

    /// A decoder of your own for all that is JSON; plain types are decoded as ever.
    ///
    /// - Parameter decoder: Used as it is, its date strategy included, and never modified. Do not change it while a
    ///   body is being decoded.
    public init(decoder: JSONDecoder) {
        self.decoder = decoder
    }

    /// Decodes one value; text is taken for UTF-8.
    ///
    /// - Parameter data: The body, after content decoding.
    /// - Returns: The value.
    /// - Throws: A `DecodingError`, or what the initialiser of a type of your own throws.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try decode(data, contentType: nil)
    }

    /// Decodes one value; text is in the charset of `Content-Type`.
    ///
    /// - Parameters:
    ///   - data: The body, after content decoding.
    ///   - response: The head of the answer.
    /// - Returns: The value.
    /// - Throws: As ``decode(data:)``.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        try decode(data, contentType: response.value(forHTTPHeaderField: "Content-Type"))
    }

    func decode<T: Decodable>(data: Data, head: ResponseHead) throws -> T {
        try decode(data, contentType: head.value(of: "Content-Type"))
    }

    private func decode<T: Decodable>(_ data: Data, contentType: @autoclosure () -> String?) throws -> T {
        if let type = T.self as? any PlainDecodable.Type {
            return try decodePlain(type, from: PlainBody(data, contentType: contentType()))
        }
        try JSONNesting.check(data)
        return try decoder.decode(T.self, from: data)
    }

    private func decodePlain<Plain: PlainDecodable, T>(_ type: Plain.Type, from body: PlainBody) throws -> T {
        try Decoded(value: Plain(plain: body)).unwrapped()
    }
}

extension DecoderProtocol where Self == DefaultDecoder {
    /// JSON and plain types, with keys as the properties are named; see ``DefaultDecoder``.
    public static var `default`: DefaultDecoder { .standard }
}
