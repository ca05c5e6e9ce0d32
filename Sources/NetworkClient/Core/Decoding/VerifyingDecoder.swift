extension DefaultDecoder {
    /// Returns a decoder that decodes each JSON body by both implementations and reports differences.
    ///
    /// It returns what `JSONDecoder` returns, or throws its error. Use it for a while before you switch, to see whether
    /// your own bodies and types decode the same:
    ///
    /// ```swift
    /// let client = NetworkClient(decoder: DefaultDecoder().verified { print($0) })
    /// ```
    ///
    /// Values are compared if their type is `Equatable`, errors by their case, path and text.
    ///
    /// - Parameter report: Called for each difference, on the thread that decodes.
    /// - Returns: A decoder with the settings of this one.
    public func verified(_ report: @escaping @Sendable (DecodingDifference) -> Void) -> VerifyingDecoder {
        VerifyingDecoder(self, report)
    }
}

/// A ``DefaultDecoder`` that decodes JSON by both implementations: see ``DefaultDecoder/verified(_:)``.
public struct VerifyingDecoder: DecoderProtocol {
    private let foundation: DefaultDecoder
    private let native: DefaultDecoder
    private let report: @Sendable (DecodingDifference) -> Void

    fileprivate init(_ decoder: DefaultDecoder, _ report: @escaping @Sendable (DecodingDifference) -> Void) {
        var (foundation, native) = (decoder, decoder)
        foundation.implementation = .foundation
        native.implementation = .native
        (self.foundation, self.native, self.report) = (foundation, native, report)
    }

    /// Decodes a value by both implementations.
    ///
    /// - Throws: The error of `JSONDecoder`.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try compared { try $0.decode(data: data) }
    }

    /// Decodes a value by both implementations, in the charset of `Content-Type`.
    ///
    /// - Throws: The error of `JSONDecoder`.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        try compared { try $0.decode(data: data, response: response) }
    }

    private func compared<T: Decodable>(_ decode: (DefaultDecoder) throws -> T) throws -> T {
        let expected = Result { try decode(foundation) }
        let result = Result { try decode(native) }
        // The library's decoder alone ends when the call does.
        let hasEnded = result.failure.map(DecodingScope.ends) == true
        if !hasEnded, !Self.areSame(expected, result) {
            let (foundationError, nativeError) = (expected.failure, result.failure)
            report(DecodingDifference(type: "\(T.self)", foundationError: foundationError, nativeError: nativeError))
        }
        return try expected.get()
    }

    private static func areSame<T>(_ one: Result<T, any Error>, _ other: Result<T, any Error>) -> Bool {
        switch (one, other) {
        case (.success(let one), .success(let other)):
            guard let one = one as? any Equatable else { return true }
            return isEqual(one, other)
        case (.failure(let one), .failure(let other)):
            return name(of: one) == name(of: other)
        default:
            return false
        }
    }

    /// What two equal errors have in common: the case, the path and the text of a `DecodingError`.
    ///
    /// The native implementation says more about invalid JSON, in the underlying error.
    private static func name(of error: any Error) -> [String] {
        guard let error = error as? DecodingError, let context = error.context else { return ["\(type(of: error))"] }
        let label = Mirror(reflecting: error).children.first?.label
        return [label ?? "", context.debugDescription] + context.codingPath.map(\.stringValue)
    }

    private static func isEqual<T: Equatable>(_ one: T, _ other: Any) -> Bool {
        // A value with NaN in it is not equal to itself.
        one == other as? T || one != one
    }
}

extension Result where Failure == any Error {
    fileprivate var failure: (any Error)? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

/// A difference between `JSONDecoder` and the native implementation of ``DefaultDecoder``, in decoding one body.
public struct DecodingDifference: Sendable, OpaqueValue {
    /// The name of the type that was decoded.
    public let type: String

    /// The error of `JSONDecoder`; nil if it has returned a value.
    public let foundationError: (any Error)?

    /// The error of the native implementation; nil if it has returned a value.
    public let nativeError: (any Error)?

    /// The type, and the errors as sentences that contain no value from the body.
    public var description: String {
        func outcome(_ error: (any Error)?) -> String { error.map(DecodingErrorText.sentence) ?? "A value." }
        return "\(type): with JSONDecoder: \(outcome(foundationError)) Natively: \(outcome(nativeError))"
    }
}
