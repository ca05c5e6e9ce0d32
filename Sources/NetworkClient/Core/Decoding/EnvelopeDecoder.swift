import JSONDecoding

extension DecoderProtocol {
    /// Returns the same decoder for values that are inside an object: `{"user": {…}}`.
    ///
    /// ```swift
    /// let client = NetworkClient(decoder: .default.unwrapping("data", "user"))
    /// ```
    ///
    /// - Parameter keys: The key of the value, preceded by the keys of the objects around it, as the decoder's key
    ///   strategy converts them: `userData` for `user_data` with `.convertFromSnakeCase`; none as for
    ///   ``unwrappingEnvelope``.
    /// - Returns: A decoder that wraps this one.
    public func unwrapping(_ keys: String...) -> EnvelopeDecoder {
        EnvelopeDecoder(self, EnvelopeStep.steps(to: keys))
    }

    /// The same decoder for values in an object with any key: `{"user": {…}, "took": 3}`.
    ///
    /// Each member is tried; exactly one must be decodable as the type. If two members are, the error names both; use
    /// ``unwrapping(_:)`` then.
    public var unwrappingEnvelope: EnvelopeDecoder { EnvelopeDecoder(self, [.onlyMember]) }
}

/// Decodes values that a service wraps in an object, the envelope.
///
/// Use ``DecoderProtocol/unwrapping(_:)`` or ``DecoderProtocol/unwrappingEnvelope`` to create one, for a client or for
/// a call.
///
/// - A missing key is an error that names the key, even for an `Optional`; a member that is null is decoded as nil.
/// - `Data` is the whole body, as is `String` if the media type is not JSON. A ``GraphQLOperation`` has no envelope.
/// - The whole body is decoded by the wrapped decoder, which must do so in the calling thread.
/// - An empty body is nil for an `Optional` if either decoder handles optional responses.
/// - The body of an error (``NetworkClient/Error/getError(using:)``) may have the envelope or not.
public struct EnvelopeDecoder: DecoderProtocol, LayeredDecoder {
    private let decoder: any DecoderProtocol
    private let steps: [EnvelopeStep]

    fileprivate init(_ decoder: any DecoderProtocol, _ steps: [EnvelopeStep]) {
        self.decoder = decoder
        self.steps = steps
    }

    /// Decodes a value from a member of the body.
    ///
    /// - Throws: `DecodingError` if the member is missing or occurs more than once; the errors of the wrapped decoder.
    public func decode<T: Decodable>(data: Data) throws -> T {
        try decode(data: data, head: nil)
    }

    /// Decodes a value from a member of the body, passing the head to the wrapped decoder.
    ///
    /// - Throws: As ``decode(data:)``.
    public func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
        try decode(data: data, head: response)
    }

    var withoutEnvelope: any DecoderProtocol { decoder.withoutAnyEnvelope }

    private func decode<T: Decodable>(data: Data, head: HTTPURLResponse?) throws -> T {
        if hasNoEnvelope(T.self, data, head) {
            return try EnvelopeStep.$remaining.withValue([]) { try withoutEnvelope.decode(data, head) as T }
        }
        // The envelope of an outer decoder is inside the envelope of this one, so the steps of the outer decoder come
        // last.
        return try EnvelopeStep.$remaining.withValue(steps + EnvelopeStep.remaining) {
            if let type = T.self as? any OptionalDecodable.Type {
                return try decodeOptional(type, from: data, head)
            }
            let envelope: Envelope<T> = try decoder.decode(data, head)
            return envelope.value
        }
    }

    /// Returns whether a value is the whole body: bytes, text that is not JSON, or a type that has no envelope.
    private func hasNoEnvelope<T>(_ type: T.Type, _ data: Data, _ head: HTTPURLResponse?) -> Bool {
        if type == Data.self || type == Data?.self || type is any WithoutEnvelope.Type { return true }
        let contentType = head?.value(forHTTPHeaderField: "Content-Type")
        let isText = type == String.self || type == String?.self
        return isText && !PlainBody(data, contentType: contentType).canBeJSON
    }

    /// Decodes an optional value; an empty body is nil if the wrapped decoder handles optional responses.
    private func decodeOptional<Value: OptionalDecodable, T>(
        _ type: Value.Type,
        from data: Data,
        _ head: HTTPURLResponse?
    ) throws -> T {
        let envelope: Envelope<Value>? = try decoder.decode(data, head)
        return try Decoded(value: envelope.map(\.value) ?? Value(wrapped: nil)).unwrapped()
    }
}

/// A type whose bodies never have the envelope of a service.
protocol WithoutEnvelope {}

/// A decoder that may unwrap envelopes, or contains a decoder that does.
protocol LayeredDecoder {
    var withoutEnvelope: any DecoderProtocol { get }
}

extension DecoderProtocol {
    /// The decoder without its envelopes; a custom decoder is returned unchanged.
    var withoutAnyEnvelope: any DecoderProtocol { (self as? any LayeredDecoder)?.withoutEnvelope ?? self }

    /// Decodes the body of an error, which services may send without the envelope of other bodies.
    ///
    /// Problem details have no envelope (RFC 9457 §3). If the body cannot be decoded either way, throws the error of
    /// decoding it with the envelope.
    func decodeError<T: Decodable>(data: Data, response: HTTPURLResponse?) throws -> T {
        guard let bare = (self as? any LayeredDecoder)?.withoutEnvelope else { return try decode(data, response) }
        let type = response?.value(forHTTPHeaderField: "Content-Type").map { MediaType($0).essence }
        if T.self == ProblemDetails.self || type == MediaType.problemJSON.essence,
            let problem: T = try? bare.decode(data, response)
        {
            return problem
        }
        do {
            return try decode(data, response)
        } catch {
            guard let value: T = try? bare.decode(data, response) else { throw error }
            return value
        }
    }
}

/// A step from an object to one of its members.
enum EnvelopeStep: Sendable {
    case key(String)
    case onlyMember

    /// The steps of a list of keys; of none, that to the only member.
    static func steps(to keys: [String]) -> [EnvelopeStep] { keys.isEmpty ? [.onlyMember] : keys.map(EnvelopeStep.key) }

    /// The steps to the value that the task is decoding.
    ///
    /// It is task-local so that it reaches `Decodable` initialisers through any decoder; they have no parameter for it.
    @TaskLocal static var remaining: [EnvelopeStep] = []
}

/// A value that is decoded from the member to which the remaining steps lead.
struct Envelope<Value: Decodable>: Decodable {
    var value: Value

    init(from decoder: any Decoder) throws {
        var steps = EnvelopeStep.remaining
        guard !steps.isEmpty else {
            value = try decoder.singleValueContainer().decode(Value.self)
            return
        }
        let step = steps.removeFirst()
        let members = try decoder.container(keyedBy: AnyCodingKey.self)
        value = try EnvelopeStep.$remaining.withValue(steps) {
            switch step {
            case .key(let name): try Self.value(of: AnyCodingKey(name), in: members)
            case .onlyMember: try Self.onlyValue(in: members)
            }
        }
    }

    private static func value(
        of key: AnyCodingKey,
        in members: KeyedDecodingContainer<AnyCodingKey>
    ) throws -> Value {
        guard EnvelopeStep.remaining.isEmpty else {
            return try members.decode(Envelope<Value>.self, forKey: key).value
        }
        return try members.decode(Value.self, forKey: key)
    }

    private static func onlyValue(in members: KeyedDecodingContainer<AnyCodingKey>) throws -> Value {
        var found: [(key: AnyCodingKey, value: Value)] = []
        // The first errors, which the final error quotes.
        var failures: [any Error] = []
        var nullKey: AnyCodingKey?
        var hasInvalidMember = false
        // Sorted by name, so that the error for a body is always the same.
        for key in members.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            if (try? members.decodeNil(forKey: key)) == true {
                nullKey = key
                continue
            }
            do {
                found.append((key, try value(of: key, in: members)))
            } catch {
                if failures.count < 3 { failures.append(error) }
                hasInvalidMember = hasInvalidMember || isWithinAMember(error, of: members)
            }
            if found.count > 1 { throw ambiguity(of: found.map(\.key), in: members.codingPath) }
        }
        if let only = found.first { return only.value }
        if let nullKey, !hasInvalidMember, Value.self is any OptionalDecodable.Type {
            return try value(of: nullKey, in: members)
        }
        if failures.count == 1, let failure = failures.first { throw failure }
        throw absence(failures, in: members.codingPath)
    }

    /// Returns whether a member seems to be the value but has an invalid part, so that its error must not become nil.
    private static func isWithinAMember(
        _ error: any Error,
        of members: KeyedDecodingContainer<AnyCodingKey>
    ) -> Bool {
        guard let error = error as? DecodingError else { return true }
        if case .keyNotFound = error { return false }
        return (error.context?.codingPath.count ?? 0) > members.codingPath.count + 1
    }

    private static func ambiguity(of keys: [AnyCodingKey], in path: [any CodingKey]) -> DecodingError {
        let names = keys.map { "'\(CodingPath([$0]))'" }.joined(separator: " and ")
        return DecodingReason("has more than one member that can be decoded as \(Value.self): \(names)").error(at: path)
    }

    private static func absence(_ failures: [any Error], in path: [any CodingKey]) -> DecodingError {
        let sentences = failures.prefix(3).map { failure in
            let sentence = DecodingErrorText.sentence(for: failure)
            return sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
        }
        let reasons = sentences.isEmpty ? "" : ": \(sentences.joined(separator: "; "))"
        return DecodingReason("has no member that can be decoded as \(Value.self)\(reasons)").error(at: path)
    }
}
