import JSONDecoding

/// Decodes JSON (RFC 8259), and the plain types that some services respond with.
///
/// - `Data` is the exact bytes.
/// - `String` is the body as text in the charset of `Content-Type`, UTF-8 by default, without a byte order mark, which
///   takes precedence. All labels of the WHATWG Encoding standard are known; Linux converts with `iconv`, whose
///   converters some distributions install separately (Fedora and RHEL: `glibc-gconv-extra`). If the type is JSON or
///   missing, a body that is one JSON string literal is decoded: `"Hello"` becomes `Hello`.
/// - `Bool` is `true` or `false` in any letter case, quoted or not, with white space around it.
/// - Optionals of these are nil for `null`.
/// - Any other type is decoded from JSON. Dates are ISO 8601 in any of its usual forms (`2024-01-02T03:04:05.678Z`,
///   other fractions, `+02:00`, `+0200`, `+02` or no zone, which means UTC; without seconds; a day alone) or seconds
///   since 1970 as a number.
///
/// On Linux, JSON is decoded without Foundation's `JSONDecoder`, several times as fast: see ``implementation``.
///
/// An empty body is an error for JSON, also for an Optional: see ``DecoderProtocol/handlingOptionalResponses``. So is
/// JSON nested deeper than 128 levels, which could exhaust the stack.
public struct DefaultDecoder: DecoderProtocol {
    /// What decodes JSON: by default ``Implementation/native`` on Linux, and `JSONDecoder` elsewhere.
    ///
    /// The environment variable `NETWORKCLIENT_JSON`, which is read once, changes the default to `foundation` or
    /// `native`.
    ///
    /// Both give the same values and the same errors, with the same coding paths.
    public var implementation = Implementation.standard

    private let decoder: JSONDecoder
    /// The strategies of ``decoder`` if this type created it; the strategies of a custom decoder are read for each
    /// body.
    private let ownOptions: JSONOptions?

    fileprivate static let standard = DefaultDecoder()

    /// Creates a decoder that expects keys named like the properties.
    public init() {
        self.init(keyDecodingStrategy: .useDefaultKeys)
    }

    /// Creates a decoder that translates keys, for example with `.convertFromSnakeCase`.
    public init(keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy) {
        decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keyDecodingStrategy
        decoder.dateDecodingStrategy = .custom(FlexibleDate.decode)
        ownOptions = JSONOptions(decoder)
    }

    /// Creates a decoder that decodes JSON with a custom `JSONDecoder`, and plain types as usual.
    ///
    /// - Parameter decoder: Used unchanged, including its date strategy. Do not modify it while a body is being
    ///   decoded.
    public init(decoder: JSONDecoder) {
        self.decoder = decoder
        ownOptions = nil
    }

    /// Decodes a value, reading text as UTF-8.
    ///
    /// - Throws: A `DecodingError`, or an error that the initialiser of a custom type throws.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try decode(data: data, contentType: nil)
    }

    /// Decodes a value, reading text in the charset of `Content-Type`.
    ///
    /// - Throws: A `DecodingError`, or an error that the initialiser of a custom type throws.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        try decode(data: data, contentType: response.value(forHTTPHeaderField: "Content-Type"))
    }

    func decode<T: Decodable>(data: Data, contentType: @autoclosure () -> String?) throws -> T {
        if let type = T.self as? any PlainDecodable.Type {
            return try decodePlain(type, from: PlainBody(data, contentType: contentType()))
        }
        do {
            return try decodeJSON(data)
        } catch let error as DecodingError {
            guard let type = T.self as? any PlainAlternative.Type else { throw error }
            let body = PlainBody(data, contentType: contentType())
            // A nil would be cast to any Optional type.
            guard body.canBePlain(after: error), let plain = type.plain(body), let value = plain as? T else {
                throw error
            }
            return value
        }
    }

    private func decodeJSON<T: Decodable>(_ data: Data) throws -> T {
        if implementation == .native, let native = nativeDecoder(for: data) {
            return try native.decode(T.self, from: data)
        }
        try JSONNesting.check(data, isJSON5: decoder.allowsJSON5)
        return try decoder.decode(T.self, from: data)
    }

    /// Returns the native decoder with the options of the `JSONDecoder`; nil if only Foundation can decode with these
    /// options.
    private func nativeDecoder(for data: Data) -> NativeJSONDecoder? {
        guard data.count <= NativeJSONDecoder.maximumLength, let options = ownOptions ?? JSONOptions(decoder) else {
            return nil
        }
        let userInfo = ownOptions == nil ? decoder.userInfo : [:]
        return NativeJSONDecoder(options: options, userInfo: userInfo, maximumDepth: JSONNesting.maxDepth)
    }

    private func decodePlain<Plain: PlainDecodable, T>(_ type: Plain.Type, from body: PlainBody) throws -> T {
        try Decoded(value: Plain(plain: body)).unwrapped()
    }
}

extension DefaultDecoder {
    /// What decodes JSON for a ``DefaultDecoder``.
    public struct Implementation: Hashable, Sendable {
        private let isNative: Bool

        /// Foundation's `JSONDecoder`.
        public static let foundation = Implementation(isNative: false)

        /// A decoder of this package, which is several times as fast as `JSONDecoder` on Linux.
        ///
        /// `JSONDecoder` still decodes what only it can: with `allowsJSON5` or `assumesTopLevelDictionary`, and for a
        /// subclass. A `Decoder` that an initialiser stores always decodes the same value, unlike the one of
        /// `JSONDecoder`.
        public static let native = Implementation(isNative: true)

        fileprivate static let standard = chosen(ProcessInfo.processInfo.environment["NETWORKCLIENT_JSON"])

        /// Returns what the environment chooses, or the platform's default.
        static func chosen(_ name: String?) -> Implementation {
            switch name {
            case "foundation": return foundation
            case "native": return native
            default:
                #if canImport(Darwin)
                return foundation
                #else
                return native
                #endif
            }
        }
    }
}

extension DecoderProtocol where Self == DefaultDecoder {
    /// A ``DefaultDecoder`` that expects keys named like the properties.
    public static var `default`: DefaultDecoder { .standard }
}

/// The dates of ``DefaultDecoder``: any form of `InternetDateTime`, or a number of seconds since 1970.
private enum FlexibleDate {
    /// Decodes a date, as a strategy of `JSONDecoder`.
    ///
    /// - Throws: `DecodingError`: `dataCorrupted` for a string or number that isn't a valid date, `valueNotFound` for
    ///   null, `typeMismatch` for anything else.
    @Sendable static func decode(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            throw DecodingError.valueNotFound(Date.self, context(of: container, "is null where a date is expected"))
        }
        let date: Date?
        // A failed attempt makes an error, which takes longer than all else here.
        if !decoder.isAtNumber, let text = try? container.decode(String.self) {
            date = InternetDateTime.date(from: text)
        } else if let seconds = try? container.decode(Double.self) {
            date = InternetDateTime.date(secondsSince1970: seconds)
        } else {
            throw DecodingError.typeMismatch(Date.self, context(of: container, "is neither a string nor a number"))
        }
        guard let date else { throw DecodingReason.notADate.error(at: container.codingPath) }
        return date
    }

    private static func context(
        of container: any SingleValueDecodingContainer,
        _ reason: String
    ) -> DecodingError.Context {
        let path = container.codingPath
        return .init(codingPath: path, debugDescription: "\(DecodingErrorText.subject(at: path)) \(reason).")
    }
}
