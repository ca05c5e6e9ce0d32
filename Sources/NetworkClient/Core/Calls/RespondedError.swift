/// An error that has the response of the server, if there was one, and decodes its body.
///
/// ```swift
/// struct Problem: Decodable { var message: String }
///
/// do {
///     try await client.fetch(.get(path: "items/1"))
/// } catch let error as any RespondedError {
///     print(try error.decoded(as: Problem.self).message)
/// }
/// ```
/// ``NetworkClient/Error``, ``AuthenticationError`` and ``EventStreamError`` conform. The error of an interceptor may
/// conform, too, with ``response`` and ``data``: a ``CallReport`` has the head of its response then.
public protocol RespondedError: Error {
    /// The response; nil if there was none.
    var response: HTTPURLResponse? { get }

    /// The body of ``response``, or the part of it that is the error; nil if there was no response.
    var data: Data? { get }

    /// The decoder of ``data``, by default a ``DefaultDecoder``; an error of the client has the decoder of its call.
    var decoder: any DecoderProtocol { get }

    /// Returns the error with at most `limit` bytes of ``data``, for a report, which may be kept; by default unchanged.
    func keeping(bytes limit: Int) -> Self
}

extension RespondedError {
    /// A decoder with default settings.
    public var decoder: any DecoderProtocol { .default }

    /// Returns the error itself.
    public func keeping(bytes limit: Int) -> Self { self }

    /// Decodes the body of the response; if that fails, without the envelope that the decoder unwraps.
    ///
    /// A body that was cut can't be decoded: ``data`` of a decoding error has at most 1 MiB, and that of an error in a
    /// ``CallReport`` at most 4 KiB.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; nil for ``decoder``.
    /// - Returns: The value.
    /// - Throws: The error of the decoder; a `DecodingError` if the error has no body.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        by decoder: (any DecoderProtocol)? = nil
    ) throws -> Value {
        guard let data else {
            throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "The error has no body."))
        }
        return try (decoder ?? self.decoder).decodeError(data: data, response: response)
    }

    /// The details in the body of the response, if that is `application/problem+json` (RFC 9457) of at most 64 KiB; nil
    /// for other bodies.
    public var problemDetails: ProblemDetails? {
        data.flatMap { ProblemDetails(body: $0, contentType: response?.value(forHTTPHeaderField: "Content-Type")) }
    }
}
