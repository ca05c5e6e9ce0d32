import JSONDecoding

/// The response whose body could not be decoded: the `underlyingError` in the context of the `DecodingError` of
/// ``NetworkClient/Error/decodingError(type:)``.
///
/// ``NetworkClient/Error/response``, ``NetworkClient/Error/data`` and ``NetworkClient/Error/underlyingError`` read it.
public struct UndecodableResponse: Error, Sendable {
    /// The status and the header fields.
    public let response: HTTPURLResponse

    /// The first mebibyte of the body.
    public let data: Data

    /// The underlying error of the decoding error, from the parser or an initialiser; nil if there was none.
    public let underlyingError: (any Error)?

    /// The journey of the call that failed with the error; nil outside a call.
    private(set) var journey: CallJourney?

    /// The decoder of the call; nil outside a call.
    private(set) var decoder: (any DecoderProtocol)?

    private static let maximumLength = 1 << 20

    /// Returns the error with the response in its context.
    static func adding(
        _ response: HTTPURLResponse,
        _ data: Data,
        to error: DecodingError,
        by decoder: (any DecoderProtocol)? = nil
    ) -> DecodingError {
        replacingCause(of: error) { underlying in
            UndecodableResponse(
                response: response,
                data: data.count > maximumLength ? Data(data.prefix(maximumLength)) : data,
                underlyingError: underlying,
                decoder: decoder
            )
        }
    }

    /// Returns an error that has a response with the journey of its call, unless it has one.
    static func adding(_ journey: CallJourney, to error: DecodingError) -> DecodingError {
        replacingCause(of: error) { underlying in
            guard var known = underlying as? UndecodableResponse, known.journey == nil else { return underlying }
            known.journey = journey
            return known
        }
    }

    /// Returns an error that has a response, with at most this many bytes of its body.
    static func keeping(bytes limit: Int, of error: DecodingError) -> DecodingError {
        replacingCause(of: error) { underlying in
            guard let known = underlying as? UndecodableResponse else { return underlying }
            return UndecodableResponse(
                response: known.response,
                data: Data(known.data.prefix(limit)),
                underlyingError: known.underlyingError,
                journey: known.journey,
                decoder: known.decoder
            )
        }
    }

    private static func replacingCause(
        of error: DecodingError,
        _ cause: ((any Error)?) -> (any Error)?
    ) -> DecodingError {
        error.replacingContext { context in
            DecodingError.Context(
                codingPath: context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: cause(context.underlyingError)
            )
        }
    }
}

extension UndecodableResponse: DescribedError, CustomReflectable {
    /// The status and the URL, without query, header fields or body.
    public var description: String {
        let place = response.url.map { " of '\($0.shownPlace)'" } ?? ""
        return "UndecodableResponse (\(response.statusCode)\(place))"
    }

    /// A mirror without children, so that `dump` shows no body.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension UndecodableResponse: Equatable {
    /// Compares status, URL and body, but not the underlying errors.
    public static func == (one: UndecodableResponse, other: UndecodableResponse) -> Bool {
        one.response.isSame(as: other.response) && one.data == other.data
    }
}

extension NetworkClient.Error {
    /// One sentence about a body that cannot be decoded.
    func sentence(for error: DecodingError) -> String {
        let text = DecodingErrorText(error, cause: underlyingError).description
        guard let response, let url = response.url else { return text }
        let place = "The response \(response.statusCode) of '\(url.shownPlace)'"
        guard data?.isEmpty != true else { return "\(place) cannot be decoded: its body is empty." }
        if error.context?.codingPath.isEmpty != false,
            DecodingErrorText.isInvalidJSON(error, cause: underlyingError), data.map(Self.mayBeJSON) == false,
            let type = response.value(forHTTPHeaderField: "Content-Type").map({ MediaType($0) }), !type.isJSON
        {
            return "\(place) cannot be decoded: it is \(HTTPURLError.shown(type.essence)), not JSON."
        }
        let reason = text.prefix(1).lowercased() + text.dropFirst()
        return "\(place) cannot be decoded: \(reason)"
    }

    /// Whether the first byte of a body is one with which JSON begins.
    private static func mayBeJSON(_ body: Data) -> Bool {
        body.first { !" \t\r\n".utf8.contains($0) }.map { "{[\"-0123456789tfn".utf8.contains($0) } ?? false
    }
}

extension HTTPURLResponse {
    /// Returns whether status and URL are the same; on Linux, Foundation compares responses by identity.
    func isSame(as other: HTTPURLResponse) -> Bool {
        statusCode == other.statusCode && url == other.url
    }
}
