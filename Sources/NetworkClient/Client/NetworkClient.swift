public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends requests and decodes their answers.
public final class NetworkClient: Sendable {
    /// The bytes of an accepted answer and its head, as they travel back through the interceptors.
    public typealias ChainResult = (data: Data, response: HTTPURLResponse)

    /// What an interceptor conforms to.
    public typealias Interceptor = InterceptorProtocol

    /// What a decoder conforms to.
    public typealias Decoder = DecoderProtocol

    /// What a logger conforms to.
    public typealias Logging = NetworkLogger

    init() {}
}
