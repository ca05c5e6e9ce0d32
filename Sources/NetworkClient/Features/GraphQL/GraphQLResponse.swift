/// The body of a GraphQL response (GraphQL, October 2021, §7.1).
public struct GraphQLResponse<Value: Decodable & Sendable>: Decodable, Sendable, WithoutEnvelope {
    /// The data; partial if there are errors.
    ///
    /// Nil if it is missing or null, or if there are errors and it doesn't fit the type.
    public let data: Value?

    /// The errors; empty if the operation succeeded.
    public let errors: [GraphQLError]

    /// Creates a response.
    public init(data: Value?, errors: [GraphQLError] = []) {
        self.data = data
        self.errors = errors
    }

    private enum Key: String, CodingKey {
        case data, errors
    }

    /// Decodes a response.
    ///
    /// - Throws: `DecodingError`: in a response without errors, for data that is missing, null or doesn't fit the type;
    ///   in any response, for errors that are not an array.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        errors = try container.decodeIfPresent([GraphQLError].self, forKey: .errors) ?? []
        let hasData = try container.contains(.data) && !container.decodeNil(forKey: .data)
        if errors.isEmpty {
            guard hasData else { throw Self.missingData(at: decoder.codingPath) }
            data = try container.decode(Envelope<Value>.self, forKey: .data).value
        } else {
            data = hasData ? try? container.decode(Envelope<Value>.self, forKey: .data).value : nil
        }
    }

    /// Returns the error for a response with neither data nor errors.
    static func missingData(at path: [any CodingKey]) -> DecodingError {
        let text = "The response has neither data nor errors."
        return .valueNotFound(Value.self, .init(codingPath: path + [Key.data], debugDescription: text))
    }
}

/// Decodes the responses of an operation whose value is inside `data`.
struct FieldDecoder: DecoderProtocol, LayeredDecoder {
    let decoder: any DecoderProtocol
    let steps: [EnvelopeStep]

    func decode<T: Decodable>(data: Data) throws -> T { try decode(data, nil) }

    func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T { try decode(data, response) }

    var withoutEnvelope: any DecoderProtocol { FieldDecoder(decoder: decoder.withoutAnyEnvelope, steps: steps) }

    private func decode<T: Decodable>(_ data: Data, _ head: HTTPURLResponse?) throws -> T {
        guard T.self is any WithoutEnvelope.Type else { return try decoder.decode(data, head) }
        return try EnvelopeStep.$remaining.withValue(steps) {
            try decoder.withoutAnyEnvelope.decode(data, head)
        }
    }
}

extension GraphQLOperation: FailedResponseReader {
    /// Returns the errors in a response that is not accepted.
    ///
    /// The body is trusted only if its type is `application/graphql-response+json`: with `application/json`, a gateway
    /// may have created it.
    func error(for error: NetworkClient.Error) -> any Error {
        guard case .apiError(let response, _) = error,
            let type = response.value(forHTTPHeaderField: "Content-Type"),
            MediaType(type).essence == MediaType.graphQLResponse.value,
            let body: GraphQLResponse<Value> = error.getError(), !body.errors.isEmpty
        else { return error }
        return GraphQLResponseError(body, response)
    }
}

extension MediaType {
    /// The type with which a GraphQL server marks its own responses, whatever their status.
    static let graphQLResponse = MediaType("application/graphql-response+json")
}
