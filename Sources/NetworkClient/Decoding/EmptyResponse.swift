/// What to ask for when the body of an answer does not matter, whether there is one or not.
///
/// ```swift
/// let response: NetworkClient.Response<EmptyResponse> = try await client.fetch(request: request)
/// ```
public struct EmptyResponse: Decodable, Hashable, Sendable {
    /// The one value there is.
    public init() {}

    /// Reads nothing.
    ///
    /// - Parameter decoder: Not looked at.
    public init(from decoder: any Decoder) {}
}

extension EmptyResponse: PlainDecodable {
    init(plain body: PlainBody) {}
}
