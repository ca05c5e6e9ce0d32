import Foundation
import NetworkClient

/// Variants for servers with TLS, with their default settings.
extension RequestVariant {
    /// The reference for ratios: URLSession without a cache or cookies, and a decoder.
    static let secureSession = RequestVariant(session.name) { target in
        let session = makeDefaultSession()
        return awaiting(target, session) { session.invalidateAndCancel() }
    }

    static let secureSessionTransport = RequestVariant(sessionTransport.name) { target in
        let transport = URLSessionTransport(session: makeDefaultSession())
        return fetching(target, transport) { transport.shutDown() }
    }

    private static func makeDefaultSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }
}

#if os(Linux)
extension RequestVariant {
    static let secureCurlTransport = RequestVariant(curlTransportName) { target in
        let transport = try CurlTransport()
        return fetching(target, transport) { transport.shutDown() }
    }

    /// With the file of the system's authorities as trust roots.
    ///
    /// libcurl keeps the certificates of a file for the next connection, but not where there is a directory of
    /// certificates besides, which Debian's libcurl has by default.
    static let secureCurlTransportWithRoots = RequestVariant(curlTransportName + ", trustRoots") { target in
        let security = CurlTransport.Security(trustRoots: URL(fileURLWithPath: TrustingCommand.systemRoots))
        let transport = try CurlTransport(configuration: .init(security: security))
        return fetching(target, transport) { transport.shutDown() }
    }
}
#endif
