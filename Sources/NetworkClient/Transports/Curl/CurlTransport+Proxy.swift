#if os(Linux)
import CCurl

extension CurlTransport {
    /// The proxy between the client and the servers.
    public struct Proxy: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case environment
            case none
            case server(String, except: String)
        }

        let kind: Kind

        static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

        /// The proxies in `http_proxy`, `https_proxy` and `all_proxy`, except for the hosts in `no_proxy`.
        ///
        /// `HTTP_PROXY` is ignored, as in curl: a web server sets it from a request's `Proxy` field.
        public static let environment = Proxy(kind: .environment)

        /// No proxy, whatever the environment contains.
        public static let none = Proxy(kind: .none)

        /// Returns a custom proxy.
        ///
        /// - Parameters:
        ///   - url: The proxy's address, such as `http://user:password@proxy.example:3128` or
        ///     `socks5h://127.0.0.1:1080`, with the scheme `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h`.
        ///   - hosts: Hosts and domains that are reached without the proxy, such as `example.com`, which includes its
        ///     subdomains; `*` means all.
        /// - Returns: The proxy.
        public static func server(_ url: URL, except hosts: [String] = []) -> Proxy {
            Proxy(kind: .server(url.absoluteString, except: hosts.joined(separator: ",")))
        }
    }
}

extension CurlTransport.Proxy {
    /// The variables of the environment that name proxies.
    ///
    /// Read only once, since a process must not change its environment while other threads read it.
    static let ofEnvironment = ProcessInfo.processInfo.environment.filter { name, value in
        name.lowercased().hasSuffix("_proxy") && !value.isEmpty
    }

    /// Returns the address of the proxy for URLs of a scheme, as it was given; nil for none.
    private func address(for scheme: String) -> String? {
        switch kind {
        case .none: return nil
        case .server(let address, _): return address
        case .environment:
            let names = scheme == "http" ? ["http_proxy"] : ["\(scheme)_proxy", "\(scheme.uppercased())_PROXY"]
            return (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { Self.ofEnvironment[$0] }.first
        }
    }

    /// Returns what may be shown of the proxy for URLs of a scheme: its own scheme, host and port; nil for none.
    func place(for scheme: String) -> String? { url(for: scheme).map { $0?.absoluteString ?? "…" } }

    /// Returns the scheme, the host and the port of the proxy; an inner nil if its address does not tell them, such as
    /// one with an `@` in its path, which libcurl may read in another way.
    fileprivate func url(for scheme: String) -> URL?? {
        address(for: scheme).map { address in
            // libcurl's default.
            let whole = address.contains("://") ? address : "http://\(address)"
            guard let parts = URLComponents(string: whole), let host = parts.host, !host.isEmpty,
                whole.contains("@") == (parts.user != nil)
            else { return nil }
            var shown = URLComponents()
            (shown.scheme, shown.host, shown.port) = (parts.scheme, host, parts.port)
            return shown.url
        }
    }

    /// Whether an `http` URL may go to a proxy that gets the whole URL, unlike a SOCKS proxy.
    var mayForward: Bool { address(for: "http").map { !$0.lowercased().hasPrefix("socks") } ?? false }

    /// Whether the proxy itself may be reached with TLS.
    var mayBeSecure: Bool { kind == .environment ? Self.isSecureInEnvironment : usesTLS }

    private var usesTLS: Bool {
        ["http", "https"].contains { address(for: $0)?.lowercased().hasPrefix("https:") == true }
    }

    /// Kept, since libcurl 7.83 to 8.0 need the options of a handle for each request.
    private static let isSecureInEnvironment = environment.usesTLS

    /// The proxies in words, for the description of the transport; nil for none.
    var inWords: String? {
        let places = ["http", "https"].compactMap { place(for: $0) }
        guard let first = places.first else { return nil }
        return places.allSatisfy { $0 == first } ? "proxy \(first)" : "proxies \(places.joined(separator: " and "))"
    }
}

extension CurlTransport.Proxy: OpaqueValue {
    /// The kind of the proxy; for a custom proxy its scheme, host and port.
    public var description: String {
        switch kind {
        case .environment: "environment"
        case .none: "none"
        case .server: place(for: "http") ?? "server"
        }
    }
}

extension CurlHandle {
    func set(_ proxy: CurlTransport.Proxy) throws(CurlFailure) {
        let (place, hosts): (String, String)
        switch proxy.kind {
        case .environment where !CurlTransport.Proxy.ofEnvironment.isEmpty: return
        case .environment, .none: (place, hosts) = ("", "")
        case .server(let server, let exceptions): (place, hosts) = (server, exceptions)
        }
        // Empty values are set too, since libcurl would otherwise read the environment for each request.
        try set(CURLOPT_PROXY, place)
        try set(CURLOPT_NOPROXY, hosts)
    }

    /// Returns whether the finished transfer had no connection because of its proxy, if it may have one.
    ///
    /// Before libcurl 8.10, only its text tells: it names the host that has no address (of a SOCKS proxy), or the host
    /// and the port to which it could not connect. The port of libcurl 8.7 to 8.9 is the server's.
    fileprivate func failedAtProxy(_ proxy: URL?, _ result: ccurl_code, _ origin: Origin) -> Bool {
        let host = (proxy?.host ?? "…").trimmingPrefix("[").prefix { $0 != "]" }
        switch result {
        case CURLE_COULDNT_RESOLVE_PROXY: return true
        case CURLE_COULDNT_RESOLVE_HOST: return host != origin.host && errorText.hasSuffix("host: \(host)")
        case CURLE_COULDNT_CONNECT where CurlLibrary.reportsProxies: return number(CURLINFO_USED_PROXY) != 0
        case CURLE_COULDNT_CONNECT:
            guard let start = errorText.range(of: "to \(host) port ")?.upperBound else { return false }
            let port = errorText[start...].prefix { $0.isNumber }
            return host != origin.host || port != "\(origin.port)"
        default: return false
        }
    }
}

extension CurlFailure {
    /// Returns the same failure, in words about the proxy if it failed there.
    func blaming(
        _ proxy: CurlTransport.Proxy,
        for result: ccurl_code,
        of handle: CurlHandle,
        to origin: Origin
    ) -> CurlFailure {
        var failure = self
        guard let url = proxy.url(for: origin.scheme), handle.failedAtProxy(url, result, origin) else {
            return failure
        }
        let place = url?.absoluteString ?? "…"
        switch reason {
        case .nameNotResolved: failure.detail = "the name of the proxy '\(place)' has no address"
        case .connectionRefused: failure.detail = "the proxy '\(place)' refused the connection"
        case .offline: failure.detail = "the network of the proxy '\(place)' is not reachable"
        default: break
        }
        return failure
    }
}
#endif
