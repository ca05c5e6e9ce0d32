public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// What is no part of the message, and can be said at every stage.

extension RequestBuilder {
    /// Sets how long the request may take without a byte in either direction.
    ///
    /// It becomes the `timeoutInterval` of the request and takes precedence over the timeout of a `NetworkClient`. 60
    /// seconds become the next larger `Double`, because Foundation's default is exactly 60: so `NetworkClient` can tell
    /// a chosen timeout from the default.
    ///
    /// - Parameter seconds: More than 0; more than a year counts as a year. Anything else, NaN included, becomes 0,
    ///   with which `NetworkClient` refuses to send the request.
    /// - Returns: The same stage.
    public consuming func timeout(_ seconds: TimeInterval) -> Self {
        let kept = seconds > 0 ? min(seconds, Self.longestTimeout) : 0
        return moved { $0.timeout = kept == URLRequest.defaultTimeout ? URLRequest.chosenDefaultTimeout : kept }
    }

    /// Sets whether a cache may supply the response (RFC 9111), for a URLSession that has a cache.
    ///
    /// `NetworkClient` has none: `CurlTransport`, `URLSessionTransport` on Linux and the sessions that it makes itself
    /// ignore the policy, and every request goes to the server. Only a session of yours with a `URLCache`, on Apple
    /// platforms, honours it. To keep caches between client and server from responding, set
    /// ``HeaderField/cacheControl(value:)``.
    ///
    /// - Parameter policy: The `cachePolicy` of the request, which is `.useProtocolCachePolicy` without this step.
    /// - Returns: The same stage.
    public consuming func cachePolicy(_ policy: URLRequest.CachePolicy) -> Self {
        moved { $0.cachePolicy = policy }
    }

    /// FoundationNetworking traps on a timeout that is infinite or NaN.
    private static var longestTimeout: TimeInterval { 365 * 86_400 }
}

extension URLRequest {
    /// The `timeoutInterval` in seconds of a request for which none was chosen.
    package static var defaultTimeout: TimeInterval { 60 }

    /// The `timeoutInterval` of a request for which that many seconds were chosen.
    package static var chosenDefaultTimeout: TimeInterval { defaultTimeout.nextUp }
}
