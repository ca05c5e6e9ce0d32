#if os(Linux)
import CCurl
import Foundation

extension CurlHandle {
    /// Sets what holds for all transfers of a transport.
    func set(_ configuration: CurlTransport.Configuration) throws(CurlFailure) {
        // Signals are the process's own; of what libcurl speaks besides HTTP, such as `file:`, nothing is wanted.
        try set(CCURL_OPTION_NO_SIGNAL, 1)
        try set(CCURL_OPTION_PROTOCOLS, Int(CCURL_PROTOCOL_HTTP | CCURL_PROTOCOL_HTTPS))
        try set(CCURL_OPTION_PATH_AS_IS, 1)
        // What a proxy says when it opens a tunnel is no answer.
        try set(CCURL_OPTION_HIDE_PROXY_HEADS, 1)
        if CurlLibrary.hasHTTP2 { try set(CCURL_OPTION_HTTP_VERSION, Int(CCURL_HTTP_VERSION_2_OVER_TLS)) }
        // The exchange ends first; libcurl has the timeout too since it divides it between the addresses of a host.
        let milliseconds = CurlClock.nanoseconds(configuration.connectTimeout) / 1_000_000 + Self.connectMargin
        try set(CCURL_OPTION_CONNECT_MILLISECONDS, max(1, Int(min(milliseconds, UInt64(Int32.max)))))
        try set(configuration.proxy)
        try set(configuration.security)
        if configuration.proxy.mayBeSecure { try setForProxy(configuration.security) }
    }

    /// Milliseconds by which libcurl's own timeout for a connection is later than the exchange's.
    ///
    /// libcurl waits for a look-up that has not ended when its timeout comes, so the engine must have had the time to
    /// take the timeout back.
    private static let connectMargin: UInt64 = 2_000

    private func set(_ proxy: CurlTransport.Proxy) throws(CurlFailure) {
        let (place, hosts): (String, String)
        switch proxy.kind {
        case .environment where !CurlTransport.Proxy.ofEnvironment.isEmpty: return
        case .environment, .none: (place, hosts) = ("", "")
        case .server(let server, let exceptions): (place, hosts) = (server, exceptions)
        }
        // Set even if they are empty, since libcurl would ask the environment for each request otherwise.
        try set(CCURL_OPTION_PROXY, place)
        try set(CCURL_OPTION_NO_PROXY, hosts)
    }

    private func set(_ security: CurlTransport.Security) throws(CurlFailure) {
        try set(CCURL_OPTION_TLS_VERSION, Int(Self.number(of: security.minimumVersion)))
        if let roots = security.trustRoots {
            try set(CCURL_OPTION_TRUST_FILE, roots.path)
            // Or else the system's authorities would be trusted as well.
            try set(CCURL_OPTION_TRUST_FOLDER, nil)
        }
        if !security.pinnedPublicKeys.isEmpty {
            let pins = security.pinnedPublicKeys.map { "sha256//" + $0.base64EncodedString() }
            try set(CCURL_OPTION_PINNED_KEY, pins.joined(separator: ";"))
        }
        if let certificate = security.clientCertificate {
            try set(CCURL_OPTION_CLIENT_CERTIFICATE, certificate.certificate.path)
            try set(CCURL_OPTION_KEY, certificate.key.path)
            if let password = certificate.password { try set(CCURL_OPTION_KEY_PASSWORD, password) }
        }
    }

    /// What holds for a server holds for a proxy that is reached by TLS, but for pins and the client's certificate.
    private func setForProxy(_ security: CurlTransport.Security) throws(CurlFailure) {
        try set(CCURL_OPTION_PROXY_TLS_VERSION, Int(Self.number(of: security.minimumVersion)))
        if let roots = security.trustRoots {
            try set(CCURL_OPTION_PROXY_TRUST_FILE, roots.path)
            try set(CCURL_OPTION_PROXY_TRUST_FOLDER, nil)
        }
    }

    private static func number(of version: CurlTransport.Security.Version) -> UInt32 {
        switch version {
        case .tls10: UInt32(CCURL_TLS_1_0)
        case .tls11: UInt32(CCURL_TLS_1_1)
        case .tls12: UInt32(CCURL_TLS_1_2)
        case .tls13: UInt32(CCURL_TLS_1_3)
        }
    }
}
#endif
