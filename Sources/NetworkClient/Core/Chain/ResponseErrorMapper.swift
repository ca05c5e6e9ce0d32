/// Replaces the errors of a server with custom errors.
///
/// The mapper is outermost: interceptors see ``NetworkClient/Error/apiError(response:data:)``, and the caller sees the
/// error that the mapper returns. Other failures (no network, a body that cannot be decoded) do not pass through it,
/// nor do errors that an interceptor throws, such as the `apiError` of a call that it made with another client. An
/// error of the server inside an accepted stream does, with the data of its event as the body.
///
/// ```swift
/// struct SignInRequired: Error {}
///
/// let mapper = ResponseErrorMapper { info in
///     guard info.response.statusCode == 401 else { return info.error }
///     return SignInRequired()
/// }
/// ```
///
/// ``CallOptions/errorMapper`` is the mapper of one call, which runs before the client's mapper.
public struct ResponseErrorMapper: Sendable {
    /// A response that was not accepted.
    public struct Info: Sendable {
        /// The library's error, whose `getError()` decodes the body.
        public let error: NetworkClient.Error

        /// The status and the header fields.
        public let response: HTTPURLResponse

        /// The body of the response.
        public let data: Data

        /// Creates the description of a response that was not accepted.
        public init(response: HTTPURLResponse, data: Data) {
            error = .apiError(response: response, data: data)
            self.response = response
            self.data = data
        }
    }

    private let rule: Rule

    /// Creates a mapper from a closure.
    ///
    /// - Parameter map: Returns the error for the caller; `info.error` leaves it unchanged.
    public init(_ map: @escaping @Sendable (Info) async -> any Error) {
        rule = .closure(map)
    }

    /// Creates a mapper from the errors of status codes; the errors of other statuses stay unchanged.
    ///
    /// A dictionary literal is such a mapper too: `errorMapper: [404: BookNotFound(id: id)]`.
    public init(statuses: [HTTPStatus: any Error]) {
        rule = .statuses(statuses)
    }

    /// A mapper that leaves every error unchanged.
    public static let `default` = ResponseErrorMapper(statuses: [:])

    private init(_ rule: Rule) {
        self.rule = rule
    }

    /// Returns a mapper that passes the errors which this one leaves unchanged to another mapper.
    func followed(by other: ResponseErrorMapper) -> ResponseErrorMapper {
        ResponseErrorMapper(.sequence(rule, other.rule))
    }

    /// Whether the mapper may suspend.
    var mayWait: Bool { rule.mayWait }

    func map(_ info: Info) async -> any Error { await rule.map(info) ?? info.error }
}

extension ResponseErrorMapper.Info: OpaqueValue {
    /// The sentence of the error.
    public var description: String { "\(error)" }
}

extension ResponseErrorMapper: ExpressibleByDictionaryLiteral {
    /// Creates a mapper from status codes and their errors; the first error of a status takes precedence.
    public init(dictionaryLiteral errors: (HTTPStatus, any Error)...) {
        self.init(statuses: Dictionary(errors) { first, _ in first })
    }
}

private indirect enum Rule: Sendable {
    case statuses([HTTPStatus: any Error])
    case closure(@Sendable (ResponseErrorMapper.Info) async -> any Error)
    case sequence(Rule, Rule)

    var mayWait: Bool {
        switch self {
        case .statuses: false
        case .closure: true
        case .sequence(let first, let second): first.mayWait || second.mayWait
        }
    }

    /// Returns the error for the caller; nil for an error that stays unchanged.
    func map(_ info: ResponseErrorMapper.Info) async -> (any Error)? {
        switch self {
        case .statuses(let errors):
            return errors[info.response.status]
        case .closure(let map):
            let error = await map(info)
            return info.isUnchanged(error) ? nil : error
        case .sequence(let first, let second):
            if let error = await first.map(info) { return error }
            return await second.map(info)
        }
    }
}

extension ResponseErrorMapper.Info {
    /// Returns whether an error is the one that the mapper was given.
    func isUnchanged(_ error: any Error) -> Bool {
        guard case NetworkClient.Error.apiError(let response, let data) = error else { return false }
        return response === self.response && data == self.data
    }
}

/// What a call attaches to a response whose status it does not accept.
struct Refusal: Sendable {
    /// The record of the call: an interceptor may throw the error of another call.
    let record: CallRecord
    /// The decoder of the call, for the body of the error.
    let decoder: any DecoderProtocol

    init(record: CallRecord, decoder: any DecoderProtocol) {
        self.record = record
        self.decoder = decoder
    }

    /// Reads what a call has attached; nil for any other response.
    init?(of response: HTTPURLResponse) {
        guard let refusal = (response as? ReceivedResponse)?.refusal as? Refusal else { return nil }
        self = refusal
    }
}
