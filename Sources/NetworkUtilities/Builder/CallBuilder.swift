package import Foundation

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// The builder that begins the requests which are written where a client sends them.
///
/// The argument of a client's `fetch` is evaluated with a builder of that client, so that a request begun by a bare
/// `.get(path:)` has its base URL and its encoders.
package enum CallBuilder {
    @TaskLocal private static var ofClient: URLRequest.PathBuilder?

    /// A base URL below which requests have relative URLs.
    private static let anyBase = URL(string: "/") ?? URL(fileURLWithPath: "/")

    static var current: URLRequest.PathBuilder { ofClient ?? builder() }

    /// A builder for complete URLs, with the same encoders.
    static var verbs: URLRequest.Builder { URLRequest.builder(options: ofClient?.options ?? .standard) }

    /// Returns a builder with a base URL; without one, its requests have URLs that a client with a base URL resolves.
    package static func builder(baseURL: URL? = nil, options: URLRequestBuilderOptions = .init())
        -> URLRequest.PathBuilder
    {
        URLRequest.builder(baseURL: baseURL ?? anyBase, options: options)
    }

    /// Creates the request of a closure, in which bare verbs begin with a builder.
    package static func request(
        from builder: URLRequest.PathBuilder,
        _ make: () throws -> URLRequest
    ) throws -> URLRequest {
        try $ofClient.withValue(builder) { try make() }
    }
}
