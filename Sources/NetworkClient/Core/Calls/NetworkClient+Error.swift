import JSONDecoding

extension NetworkClient {
    /// The failure of a call, unless the call was cancelled (`CancellationError`) or an interceptor threw another
    /// error.
    ///
    /// The text is one sentence that names the cause and the URL; it never contains a body, a query, a password or a
    /// header field other than the media type.
    ///
    /// ```swift
    /// do {
    ///     let items = try await client.fetch(.get(path: "items"), as: [Item].self).item
    ///     print(items.count)
    /// } catch let error as NetworkClient.Error
    ///     where error.isTimeout || error.isConnectionFailure
    /// {
    ///     print("try again later")
    /// } catch let error as NetworkClient.Error where error.status == .notFound {
    ///     print("there are no items")
    /// }
    /// ```
    public enum Error: Swift.Error, Sendable {
        /// The status of the response is not accepted by the call (by default any status except 200…299).
        case apiError(response: HTTPURLResponse, data: Data)

        /// The body of an accepted response could not be decoded.
        case decodingError(type: DecodingError)

        /// The URL of the request is not an HTTP URL with a host.
        case invalidUrl(originalUrl: String)

        /// The response is not an HTTP response, as for a `file:` or `data:` URL.
        case invalidResponse

        /// The body of the request could not be encoded, in an endpoint or in the argument of a call; nothing was sent.
        ///
        /// A builder outside a call throws the `BodyEncodingError` itself.
        case encodingError(type: BodyEncodingError)

        /// The exchange with the server failed, or could not begin; `type.reason` is the kind of failure.
        case requestError(type: TransportError)
    }
}

extension NetworkClient.Error {
    /// Returns the error that the caller gets if an attempt to send a request to this URL throws `error`.
    ///
    /// After a call was cancelled every error becomes `CancellationError`, since transports report a cancellation in
    /// different ways.
    @inline(never)
    static func wrapping(_ error: any Swift.Error, _ url: URL?) -> any Swift.Error {
        if CallScope.isCancelled { return CancellationError() }
        if let error = error as? TransportError { return NetworkClient.Error(failure: error) }
        // A custom transport may use URLSession itself.
        guard let error = error as? URLError else { return error }
        return NetworkClient.Error(failure: URLErrorClassification.classify(error, url))
    }

    /// Creates the client's error for the failure of an exchange.
    private init(failure: TransportError) {
        switch failure.reason {
        case .invalidURL: self = .invalidUrl(originalUrl: failure.originalURL ?? "")
        case .notHTTP: self = .invalidResponse
        default: self = .requestError(type: failure)
        }
    }

    /// Creates the client's error from an error of a layer below: `TransportError`, `URLError`, `BodyEncodingError`,
    /// `BodySourceError`, `DecodingError`, or the client's error itself.
    ///
    /// Use it in code that shows errors from several sources in one way. The result is nil for any other error, and for
    /// a cancellation: `CancellationError` and `URLError.cancelled`.
    public init?(_ error: any Swift.Error) {
        switch error {
        case let error as NetworkClient.Error: self = error
        case let error as TransportError: self = NetworkClient.Error(failure: error)
        case let error as BodyEncodingError: self = .encodingError(type: error)
        case let error as BodySourceError:
            self = .requestError(type: TransportError(unreadableBody: error))
        case let error as MultipartFormFilePart.Error:
            self = .requestError(type: TransportError(unreadableBody: error))
        case let error as DecodingError: self = .decodingError(type: error)
        case let error as URLError where error.code != .cancelled:
            self = NetworkClient.Error(failure: URLErrorClassification.classify(error, error.failingURL))
        default: return nil
        }
    }

    /// The status of ``apiError(response:data:)``; nil for other errors.
    public var statusCode: Int? {
        guard case .apiError(let response, _) = self else { return nil }
        return response.statusCode
    }

    /// The status of ``apiError(response:data:)`` with its name and its class; nil for other errors.
    public var status: HTTPStatus? { statusCode.map { HTTPStatus(rawValue: $0) } }

    /// Whether a time limit was exceeded.
    public var isTimeout: Bool { transportError?.isTimeout == true }

    /// Whether the server could not be reached, or the connection was lost.
    public var isConnectionFailure: Bool { transportError?.isConnectionFailure == true }

    /// Whether no secure connection could be made.
    public var isSecurityFailure: Bool { transportError?.isSecurityFailure == true }

    /// Whether the body of an accepted response could not be decoded.
    public var isDecodingFailure: Bool {
        guard case .decodingError = self else { return false }
        return true
    }

    /// The failure of the exchange, of ``requestError(type:)``; nil for other errors.
    public var transportError: TransportError? {
        guard case .requestError(let error) = self else { return nil }
        return error
    }

    /// The response of ``apiError(response:data:)`` and ``decodingError(type:)``; nil for other errors.
    public var response: HTTPURLResponse? {
        if case .apiError(let response, _) = self { return response }
        return undecodable?.response
    }

    /// The body of ``response``; for ``decodingError(type:)`` at most its first mebibyte, and only the value if it is
    /// one of several in a stream.
    public var data: Data? {
        if case .apiError(_, let data) = self { return data }
        return undecodable?.data
    }

    /// What happened during the call that failed with this error; nil for an error that no call has thrown, and for
    /// ``invalidUrl(originalUrl:)``, ``invalidResponse``, ``encodingError(type:)``.
    public var journey: CallJourney? {
        switch self {
        case .apiError(let response, _): Refusal(of: response)?.record.journey
        case .decodingError: undecodable?.journey
        case .requestError(let error): error.attachment as? CallJourney
        case .invalidUrl, .invalidResponse, .encodingError: nil
        }
    }

    /// Returns the error with the journey of its call, unless it has that of another call.
    func thrown(by record: CallRecord) -> NetworkClient.Error {
        record.failed(self)
        return having(record.journey)
    }

    /// Returns the error with a journey, unless it has that of another call.
    func having(_ journey: @autoclosure () -> CallJourney) -> NetworkClient.Error {
        switch self {
        case .requestError(var error) where error.attachment == nil:
            error.attachment = journey()
            return .requestError(type: error)
        case .decodingError(let error):
            return .decodingError(type: UndecodableResponse.adding(journey(), to: error))
        default: return self
        }
    }

    /// The cause of the failure, if it has one: for ``decodingError(type:)`` the error of a parser or an initialiser,
    /// for ``requestError(type:)`` the error of the layer below.
    public var underlyingError: (any Swift.Error)? {
        switch self {
        case .requestError(let error): error.underlying
        case .decodingError(let error): undecodable.map(\.underlyingError) ?? error.context?.underlyingError
        default: nil
        }
    }

    fileprivate var undecodable: UndecodableResponse? {
        guard case .decodingError(let error) = self else { return nil }
        return error.context?.underlyingError as? UndecodableResponse
    }

    /// The decoder of the call that failed with ``apiError(response:data:)`` or ``decodingError(type:)``; for an error
    /// that no call has thrown one with default settings.
    public var decoder: any DecoderProtocol {
        if case .apiError(let response, _) = self { return Refusal(of: response)?.decoder ?? .default }
        return undecodable?.decoder ?? .default
    }

    /// Decodes the body of ``apiError(response:data:)``: ``RespondedError/decoded(as:by:)``, with nil for its errors.
    ///
    /// - Parameter decoder: The decoder; nil for the decoder of the call that failed.
    /// - Returns: The value; nil for other errors, and if the body cannot be decoded as that type.
    public func getError<T: Decodable>(using decoder: (any DecoderProtocol)? = nil) -> T? {
        guard case .apiError = self else { return nil }
        return try? decoded(by: decoder)
    }
}

extension NetworkClient.Error: Equatable {
    /// Compares the kinds of failure and their details.
    ///
    /// - ``apiError(response:data:)``: status, URL and body, but not the other header fields.
    /// - ``decodingError(type:)``: kind, coding path and expected type; status, URL and body of the response.
    /// - ``requestError(type:)``: as `TransportError`, without the errors of the layer below.
    public static func == (one: NetworkClient.Error, other: NetworkClient.Error) -> Bool {
        switch (one, other) {
        case (.apiError(let one, let data), .apiError(let other, let otherData)):
            one.isSame(as: other) && data == otherData
        case (.decodingError, .decodingError):
            one.undecodable == other.undecodable && one.decodingFailure == other.decodingFailure
        case (.invalidUrl(let one), .invalidUrl(let other)): one == other
        case (.invalidResponse, .invalidResponse): true
        case (.encodingError(let one), .encodingError(let other)): one == other
        case (.requestError(let one), .requestError(let other)): one == other
        default: false
        }
    }

    /// The kind, the path and the expected type of a decoding error, as text.
    private var decodingFailure: String? {
        guard case .decodingError(let error) = self else { return nil }
        let path = CodingPath(error.context?.codingPath ?? [])
        return switch error {
        case .keyNotFound(let key, _): "keyNotFound \(path) \(key.stringValue)"
        case .valueNotFound(let type, _): "valueNotFound \(path) \(type)"
        case .typeMismatch(let type, _): "typeMismatch \(path) \(type)"
        default: "dataCorrupted \(path)"
        }
    }
}

extension NetworkClient.Error: DescribedError, OpaqueValue, RespondedError {
    /// One sentence that names the cause and the URL.
    public var description: String {
        switch self {
        case .apiError(let response, _):
            let status = HTTPStatus(rawValue: response.statusCode)
            // Only a proxy responds with 407 (RFC 9110 §15.5.8).
            let server = status == .proxyAuthenticationRequired ? "a proxy before " : ""
            let place = response.url.map { " from \(server)'\($0.shownPlace)'" } ?? ""
            return "HTTP \(status)\(place), which the call does not accept\(Self.hint(for: response))."
        case .decodingError(let error): return sentence(for: error)
        case .invalidUrl(let text):
            let place = Self.shown(text).debugDescription
            let scheme = URL(string: text).map { $0.scheme ?? "" }
            guard !HTTPURLError.beginsWithHost(text) else {
                return HTTPURLError.missingScheme(Self.shown(text)).description
            }
            guard scheme == "" else {
                return "The URL \(place) cannot be reached by HTTP\(HTTPURLError.hint(for: scheme ?? ""))."
            }
            return "The URL \(place) is relative: the client has no complete `baseURL:`, or the path leads out of it."
        case .invalidResponse: return "The response is not from an HTTP server."
        case .encodingError(let error): return error.description
        case .requestError(let error): return error.description
        }
    }

    /// Returns why a redirect was not followed, or a request that was refused for lack of a credential had none.
    private static func hint(for response: HTTPURLResponse) -> String {
        if RedirectPolicy.redirectStatuses.contains(response.statusCode) {
            let hasTarget = response.value(forHTTPHeaderField: "Location") != nil
            return hasTarget ? "; the redirect was not followed" : "; the redirect has no 'Location'"
        }
        guard response.statusCode == 401, let url = response.url, let record = Refusal(of: response)?.record,
            !record.withState({ $0.hasCredential }), let reason = record.journey.reasonForWithholding(from: url)
        else { return "" }
        return "; it had no credential, which \(reason)"
    }

    private static func shown(_ url: String) -> String {
        URL(string: url).map(\.shownPlace) ?? HTTPURLError.shown(url)
    }
}

extension NetworkClient.Error {
    /// Returns the error with at most `limit` bytes of ``data``.
    public func keeping(bytes limit: Int) -> NetworkClient.Error {
        switch self {
        case .apiError(let response, let data) where data.count > limit:
            .apiError(response: response, data: Data(data.prefix(limit)))
        case .decodingError(let error) where undecodable.map { $0.data.count > limit } == true:
            .decodingError(type: UndecodableResponse.keeping(bytes: limit, of: error))
        default: self
        }
    }
}

extension HTTPStatus {
    /// Returns whether an error is a response with a status, so that a status can be caught by its name: `catch
    /// HTTPStatus.notFound`.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - error: Any error; only ``NetworkClient/Error/apiError(response:data:)`` has a status.
    /// - Returns: Whether the error has this status.
    public static func ~= (status: HTTPStatus, error: any Swift.Error) -> Bool {
        (error as? NetworkClient.Error)?.status == status
    }
}
