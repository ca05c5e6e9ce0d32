#if os(Linux)
import CCurl

extension CurlTransport {
    /// The settings of all exchanges of a transport.
    public struct Configuration: Sendable {
        /// The maximum number of seconds for making a connection, from the name look-up to the end of the TLS
        /// handshake; 10 by default.
        ///
        /// A longer attempt fails with ``TransportError/Reason/timedOut``. The request's own timeout applies, too, if
        /// it is shorter.
        public var connectTimeout: TimeInterval

        /// The maximum number of exchanges with one host (scheme, host and port) that run at once, from 1 to 65,536;
        /// other exchanges wait for their turn, in their order.
        ///
        /// The time in which a request waits does not count as idle time. 128 by default.
        public var connectionsPerHost: Int

        /// The maximum number of exchanges that run at once in total, from 1 to 65,536.
        ///
        /// 512 by default, since a process may often open no more than 1,024 descriptors. It is at most half of what
        /// the process may open when the transport is created (`RLIMIT_NOFILE`). As many WebSockets may be open beside
        /// them, at most a quarter of that limit.
        public var connections: Int

        /// The proxy between the client and the servers.
        public var proxy: Proxy

        /// The trusted servers, and the identity of the client.
        public var security: TransportSecurity

        /// The path of the Unix domain socket to which all requests go, of at most 107 bytes; nil for none.
        ///
        /// An example is `/var/run/docker.sock`. The host of a URL then only fills the request's `Host` field.
        ///
        /// The proxies of the environment are ignored, and a redirect to another origin fails with
        /// ``TransportError/Reason/redirectRefused``, since its server cannot be reached.
        public var unixSocket: String?

        /// The addresses to which connections to some hosts go in place of those of their names; none by default.
        ///
        /// ```swift
        /// var configuration = CurlTransport.Configuration()
        /// configuration.addresses = [
        ///     "api.example.com": "192.0.2.7",  // all of its ports
        ///     "api.example.com:8443": "[2001:db8::7]:443",  // takes precedence
        ///     "api.example.com:80": "api.example.com",  // is looked up
        /// ]
        /// ```
        /// An address is one of IP, or the name of another host, which is looked up; without a port, it has the URL's.
        /// `Host`, SNI, the certificate and cookies are those of the host in the URL, also after a redirect to it. A
        /// proxy is asked to connect to the address, with `CONNECT` also for `http` URLs if it is an HTTP proxy.
        /// `URLSessionTransport` has no such setting.
        ///
        /// Creating the transport fails with ``TransportError/Reason/unsupported`` for a text that is neither a host
        /// nor an address, for two keys with the same host and port, and beside a ``unixSocket``.
        public var addresses: [String: String] = [:]

        /// The local address of connections, or the name of a network interface, such as `192.0.2.9` or `eth1`; nil for
        /// the system's choice.
        ///
        /// Requests fail with ``TransportError/Reason/offline`` if it is not available, and with
        /// ``TransportError/Reason/connectionRefused`` if the server has only addresses of the other version of IP.
        public var localAddress: String?

        /// The versions of HTTP that are used; by default those that the server chooses.
        public var versions = Versions.negotiated

        /// What ``addresses`` say; set by ``checked()``.
        fileprivate(set) var places: CurlAddresses?

        /// The authorities that are trusted if there are no ``TransportSecurity/trustRoots``.
        var systemTrust = SystemTrust()

        /// The number of seconds for which the address of a name is kept.
        var nameCacheTime = 60

        /// The time for which TLS sessions are kept, in nanoseconds.
        var sessionTime: UInt64 = 3_600_000_000_000

        /// The time after the last exchange of an engine for which its connections are kept, in nanoseconds.
        ///
        /// Two minutes: libcurl itself uses no connection that was idle for 118 seconds.
        var keepTime: UInt64 = 120_000_000_000

        /// Creates settings.
        public init(
            connectTimeout: TimeInterval = 10,
            connectionsPerHost: Int = 128,
            connections: Int = 512,
            proxy: Proxy = .environment,
            security: TransportSecurity = TransportSecurity(),
            unixSocket: String? = nil
        ) {
            self.connectTimeout = connectTimeout
            self.connectionsPerHost = connectionsPerHost
            self.connections = connections
            self.proxy = proxy
            self.security = security
            self.unixSocket = unixSocket
        }

        /// Returns the settings with numbers in their ranges, and without the environment's proxies if there is a Unix
        /// domain socket.
        ///
        /// Throws an error for a socket or a proxy that cannot be used.
        func checked() throws -> Self {
            if case .server(let text, _) = proxy.kind, let scheme = URL(string: text)?.scheme?.lowercased(),
                !Proxy.schemes.contains(scheme)
            {
                let schemes = Proxy.schemes.joined(separator: ", ")
                throw TransportError(.unsupported, detail: "the scheme of the proxy is not one of \(schemes)")
            }
            var usable = self
            usable.places = try CurlAddresses(addresses)
            guard versions != .http3 || CurlLibrary.hasHTTP3 else {
                let needs = "HTTP/3 needs libcurl 8.22 or later that was built with ngtcp2"
                throw TransportError(.unsupported, detail: "\(needs), and this is \(CurlLibrary.version)")
            }
            if let localAddress, !CurlAddresses.isLocal(localAddress) {
                throw TransportError(.unsupported, detail: "the local address is not an address or an interface")
            }
            // libcurl 8.21 and later ask a proxy for QUIC (RFC 9298) before they ask it for a tunnel.
            let needsTCP = unixSocket != nil || proxy.place(for: "https") != nil
            if versions == .http3, needsTCP { usable.versions = .negotiated }
            usable.connectionsPerHost = min(max(1, connectionsPerHost), 1 << 16)
            usable.connections = max(1, min(connections, 1 << 16, CurlLibrary.descriptorLimit / 2))
            guard let unixSocket else { return usable }
            // The limit of `sockaddr_un`, and its NUL.
            guard (1...107).contains(unixSocket.utf8.count), !unixSocket.utf8.contains(0) else {
                throw TransportError(.unsupported, detail: "the path of a Unix domain socket has 1 to 107 bytes")
            }
            guard addresses.isEmpty, localAddress == nil else {
                throw TransportError(.unsupported, detail: "a Unix domain socket has no other addresses")
            }
            if case .server = proxy.kind {
                throw TransportError(.unsupported, detail: "a Unix domain socket is not reached through a proxy")
            }
            usable.proxy = .none
            return usable
        }
    }
}

extension CurlTransport {
    /// The versions of HTTP that a transport uses.
    @nonexhaustive
    public enum Versions: Hashable, Sendable {
        /// HTTP/1.1, for servers and proxies whose HTTP/2 is broken.
        case http1
        /// HTTP/2 if the server chooses it in the TLS handshake (ALPN, RFC 7301), otherwise HTTP/1.1.
        case negotiated
        /// HTTP/3 (RFC 9114) over QUIC if it connects, otherwise as ``negotiated``: connecting to servers of `https`
        /// URLs begins with QUIC, and a moment later with TCP beside it if there is no connection yet.
        ///
        /// A transport with a proxy for `https` URLs, or with a Unix domain socket, uses ``negotiated`` instead, also
        /// for the hosts that it reaches without the proxy.
        ///
        /// Creating the transport fails with ``TransportError/Reason/unsupported`` unless libcurl is 8.22 or later, and
        /// was built with ngtcp2; those of Debian 13 and Ubuntu 24.04 are older.
        case http3

        /// For the description of a transport: the newest version that is possible.
        var inWords: String {
            if self == .http3 { return "HTTP/3" }
            return self == .negotiated && CurlLibrary.hasHTTP2 ? "HTTP/2" : "HTTP/1.1"
        }
    }

    /// No defaults for requests.
    public var defaults: TransportDefaults {
        var defaults = TransportDefaults()
        defaults.reachesOneServer = configuration.unixSocket != nil
        defaults.opensSockets = true
        return defaults
    }
}

extension CurlHandle {
    /// Sets the options that all transfers of a transport share.
    func set(_ configuration: CurlTransport.Configuration) throws(CurlFailure) {
        // Signals belong to the process. Of libcurl's protocols, which include `file:`, only HTTP is allowed.
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS)
        try set(CURLOPT_PATH_AS_IS, 1)
        // The head of a proxy that opens a tunnel is not part of the response.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        switch configuration.versions {
        case .http1: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        case .http3: try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_3)
        case .negotiated: if CurlLibrary.hasHTTP2 { try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS) }
        }
        if let address = configuration.localAddress {
            try set(CURLOPT_INTERFACE, (CurlAddresses.isIP(address) ? "host!" : "if!") + address)
        }
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(Self.connectTime(of: configuration)))
        try set(CURLOPT_DNS_CACHE_TIMEOUT, configuration.nameCacheTime)
        // Otherwise libcurl waits for the thread of an unfinished look-up when it closes a transfer.
        if CurlLibrary.canLeaveLookUps { try set(CURLOPT_QUICK_EXIT, 1) }
        try set(configuration.proxy)
        if let path = configuration.unixSocket {
            try set(CURLOPT_UNIX_SOCKET_PATH, path)
            // `CurlConnections` identifies connections by their ports.
            if CurlLibrary.takesStrayBytes {
                try set(CURLOPT_FRESH_CONNECT, 1)
                try set(CURLOPT_FORBID_REUSE, 1)
            }
        }
        try set(configuration.security, configuration.systemTrust)
        if configuration.proxy.mayBeSecure { try setForProxy(configuration.security, configuration.systemTrust) }
    }

    /// Returns libcurl's time to connect, in milliseconds.
    ///
    /// The exchange times out first. libcurl needs a timeout too, to divide it among the addresses of a host.
    static func connectTime(of configuration: CurlTransport.Configuration) -> UInt64 {
        let milliseconds = MonotonicClock.nanoseconds(configuration.connectTimeout) / 1_000_000 + connectMargin
        return min(milliseconds, UInt64(Int32.max))
    }

    /// The milliseconds by which libcurl's connect timeout is longer than the exchange's.
    ///
    /// At its timeout, libcurl waits for an unfinished look-up, so the engine must have removed the transfer by then.
    private static let connectMargin: UInt64 = 2_000

    private func set(_ security: TransportSecurity, _ systemTrust: SystemTrust) throws(CurlFailure) {
        try set(CURLOPT_SSLVERSION, Self.number(of: security.minimumVersion))
        if let roots = security.trustRoots {
            try set(CURLOPT_CAINFO, roots.path)
            // Otherwise the system's authorities would be trusted too.
            try set(CURLOPT_CAPATH, nil)
        } else {
            try set(systemTrust)
        }
        if !security.pinnedPublicKeys.isEmpty {
            let pins = security.pinnedPublicKeys.map { "sha256//" + $0.base64EncodedString() }
            try set(CURLOPT_PINNEDPUBLICKEY, pins.joined(separator: ";"))
        }
        if let certificate = security.clientCertificate {
            try set(CURLOPT_SSLCERT, certificate.certificate.path)
            if let key = certificate.key {
                try set(CURLOPT_SSLKEY, key.path)
            } else {
                try set(CURLOPT_SSLCERTTYPE, "P12")
            }
            // Without a password, OpenSSL would ask for one on the terminal, and wait.
            try set(CURLOPT_KEYPASSWD, certificate.password ?? "")
        }
    }

    /// Sets the trust roots and the version for a proxy with TLS; pins and the client's certificate do not apply to it.
    private func setForProxy(
        _ security: TransportSecurity,
        _ systemTrust: SystemTrust
    ) throws(CurlFailure) {
        try set(CURLOPT_PROXY_SSLVERSION, Self.number(of: security.minimumVersion))
        if let roots = security.trustRoots {
            try set(CURLOPT_PROXY_CAINFO, roots.path)
            try set(CURLOPT_PROXY_CAPATH, nil)
        } else if let file = systemTrust.file {
            try set(CURLOPT_PROXY_CAINFO, file)
        }
    }

    static func number(of version: TransportSecurity.Version) -> Int {
        switch version {
        case .tls10: CURL_SSLVERSION_TLSv1_0
        case .tls11: CURL_SSLVERSION_TLSv1_1
        case .tls12: CURL_SSLVERSION_TLSv1_2
        case .tls13: CURL_SSLVERSION_TLSv1_3
        }
    }
}
#endif
