#if os(Linux)
public import Foundation

extension CurlTransport {
    /// What holds for all exchanges of a transport.
    public struct Configuration: Sendable {
        /// How many seconds making a connection may take, from looking up the name to the end of the TLS handshake;
        /// 10 unless told otherwise.
        ///
        /// It ends with ``TransportError/Reason/timedOut``. The request's own timeout holds too, if that is less.
        public var connectTimeout: TimeInterval

        /// How many exchanges with one host (scheme, host and port) run at once, at least 1; others wait for their
        /// turn, in the order in which they came.
        ///
        /// The time in which a request waits does not count for its timeout. 128 unless told otherwise.
        public var connectionsPerHost: Int

        /// How many exchanges run at once in all, at least 1; 512 unless told otherwise, since a process may often open
        /// no more than 1,024 descriptors.
        public var connections: Int

        /// Which proxy is used.
        public var proxy: Proxy

        /// Which servers are trusted, and who the client is for them.
        public var security: Security

        /// Takes the settings.
        ///
        /// - Parameters:
        ///   - connectTimeout: Seconds.
        ///   - connectionsPerHost: Exchanges at once with one host.
        ///   - connections: Exchanges at once in all.
        ///   - proxy: Which proxy is used.
        ///   - security: Which servers are trusted.
        public init(
            connectTimeout: TimeInterval = 10,
            connectionsPerHost: Int = 128,
            connections: Int = 512,
            proxy: Proxy = .environment,
            security: Security = Security()
        ) {
            self.connectTimeout = connectTimeout
            self.connectionsPerHost = connectionsPerHost
            self.connections = connections
            self.proxy = proxy
            self.security = security
        }
    }
}
#endif
