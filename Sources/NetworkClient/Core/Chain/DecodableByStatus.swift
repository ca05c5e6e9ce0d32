import JSONDecoding

/// A response whose type depends on its status.
///
/// ```swift
/// enum Addition: DecodableByStatus {
///     case created(Item)
///     case invalid(ProblemDetails)
///     case known
///
///     static let statusCases: [StatusCase<Addition>] = [
///         .on(201, created), .on(422, invalid), .on(204, .known),
///     ]
/// }
///
/// let addition = try await client.fetch(request: request, as: Addition.self).item
/// ```
///
/// The statuses of the cases are accepted: they are not errors, unless the options of the call name other statuses.
/// Every other status is an error as usual. Use such a type for a whole response, in `fetch`, `upload` or
/// ``Endpoint/Response``; it cannot be a part of another type. With an optional of it, 200…299 are accepted as well,
/// and a response without a case, or an empty one, is what the decoder makes of an optional.
public protocol DecodableByStatus: Decodable {
    /// The type of the body for each status; of several cases for one status, the first is used.
    static var statusCases: [StatusCase<Self>] { get }
}

/// A case of a ``DecodableByStatus``: some statuses, and the value for a response with one of them.
public struct StatusCase<Value>: Sendable {
    let statuses: AcceptedStatuses
    let value: @Sendable (TransportResponse, any DecoderProtocol) throws -> Value

    /// A case whose body is decoded, such as `.on(422, invalid)` or `.on(.successful, created)`.
    ///
    /// - Parameters:
    ///   - statuses: One status, several as in `[200, 201]`, or ranges.
    ///   - make: Returns the value for a decoded body, usually a case of an enum. The body may be `Data`, `String` or
    ///     ``EmptyResponse`` too.
    /// - Returns: The case.
    public static func on<Body: Decodable & SendableMetatype>(
        _ statuses: AcceptedStatuses,
        _ make: @escaping @Sendable (Body) throws -> Value
    ) -> StatusCase {
        StatusCase(statuses: statuses) { response, decoder in try make(response.body(by: decoder)) }
    }

    /// A case whose body is ignored, such as `.on(204, .known)`.
    public static func on(
        _ statuses: AcceptedStatuses,
        _ value: @escaping @autoclosure @Sendable () -> Value
    ) -> StatusCase {
        StatusCase(statuses: statuses) { _, _ in value() }
    }
}

extension DecodableByStatus {
    /// Fails, since a decoder does not know the status.
    ///
    /// - Throws: `DecodingError`, always.
    public init(from decoder: any Decoder) throws {
        throw DecodingReason("is of a type that depends on the status, which only a whole response has")
            .error(at: decoder.codingPath)
    }

    fileprivate static func decoded(_ response: TransportResponse, by decoder: any DecoderProtocol) throws -> Self {
        let status = response.head.status
        guard let match = statusCases.first(where: { $0.statuses.contains(status) }) else {
            throw DecodingReason("has the status \(status), for which \(Self.self) has no case").error()
        }
        return try match.value(response, decoder)
    }

    fileprivate static var statuses: AcceptedStatuses {
        statusCases.reduce([]) { $0.union($1.statuses) }
    }
}

/// The type of a call's response, and whether it depends on the status.
///
/// Made once for each call, because a cast that fails costs more than all other work of decoding.
struct ResponseType<D: Decodable>: Sendable {
    fileprivate let isByStatus = D.self is any DecodableByStatus.Type
    fileprivate let isOptional = D.self is any OptionalByStatus.Type

    fileprivate var isDecoded: Bool {
        D.self != Data.self && D.self != String.self && D.self != EmptyResponse.self && D.self != Data?.self
            && D.self != String?.self && D.self != EmptyResponse?.self
    }

    /// The type that depends on the status, also within an optional; nil for other types.
    fileprivate var byStatus: (any DecodableByStatus.Type)? {
        if isByStatus { return D.self as? any DecodableByStatus.Type }
        return isOptional ? (D.self as? any OptionalByStatus.Type)?.wrapped : nil
    }
}

/// An optional of a type that depends on the status.
private protocol OptionalByStatus {
    static var wrapped: any DecodableByStatus.Type { get }
}

extension Optional: OptionalByStatus where Wrapped: DecodableByStatus {
    fileprivate static var wrapped: any DecodableByStatus.Type { Wrapped.self }
}

extension CallOptions {
    /// Returns the options, with the statuses and the limit that the type of the response implies.
    func accepting<D>(_ type: ResponseType<D>) -> CallOptions {
        var options = self
        options.isDecoded = type.isDecoded
        if acceptedStatuses == nil, let byStatus = type.byStatus {
            options.acceptedStatuses = type.isOptional ? byStatus.statuses.union(.successful) : byStatus.statuses
        }
        return options
    }
}

extension TransportResponse {
    /// Decodes a complete body; the error of a body that cannot be decoded has the response in its context.
    func decoded<D: Decodable>(as type: ResponseType<D>, by decoder: any DecoderProtocol) throws -> D {
        // Compares the types first, since a cast that fails costs more than the rest of this function.
        let isEmpty = D.self == EmptyResponse.self || D.self == EmptyResponse?.self
        if isEmpty, let empty = EmptyResponse() as? D { return empty }
        do {
            guard let byStatus = type.byStatus else { return try value(by: decoder) }
            if type.isOptional, body.data.isEmpty || !byStatus.statuses.contains(head.status) {
                return try value(by: decoder)
            }
            let value = try byStatus.decoded(self, by: decoder)
            return try value as? D ?? Decoded(value: value).unwrapped()
        } catch let error as DecodingError {
            let error = UndecodableResponse.adding(response, body.data, to: error, by: decoder)
            throw NetworkClient.Error.decodingError(type: error)
        }
    }

    /// Decodes the body for a case; the body of an error may lack the envelope that other bodies have.
    fileprivate func body<D: Decodable>(by decoder: any DecoderProtocol) throws -> D {
        if let empty = EmptyResponse() as? D { return empty }
        guard !AcceptedStatuses.successful.contains(head.status) else { return try value(by: decoder) }
        return try decoder.decodeError(data: body.data, response: response)
    }

    private func value<D: Decodable>(by decoder: any DecoderProtocol) throws -> D {
        // The default decoder reads the head without an HTTPURLResponse, which is expensive to create.
        if let decoder = decoder as? DefaultDecoder {
            return try decoder.decode(data: body.data, contentType: head.value(of: "Content-Type"))
        }
        return try decoder.decode(data: body.data, response: response)
    }
}
