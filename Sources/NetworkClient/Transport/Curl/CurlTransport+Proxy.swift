#if os(Linux)
public import Foundation

extension CurlTransport {
    /// What stands between the client and the servers.
    public struct Proxy: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case environment
            case none
            case server(String, except: String)
        }

        let kind: Kind

        /// What `http_proxy`, `https_proxy` and `all_proxy` say, but for the hosts in `no_proxy`.
        ///
        /// As curl has it: `http_proxy` counts in lower case only, since a web server may have been sent `HTTP_PROXY`.
        public static let environment = Proxy(kind: .environment)

        /// None, whatever the environment says.
        public static let none = Proxy(kind: .none)

        /// A proxy of your own.
        ///
        /// - Parameters:
        ///   - url: Its address, such as `http://user:password@proxy.example:3128` or `socks5h://127.0.0.1:1080`; the
        ///     schemes `http`, `https`, `socks4`, `socks4a`, `socks5` and `socks5h` are known.
        ///   - hosts: Hosts and domains that are reached without it, such as `example.com`, which stands for its
        ///     subdomains too; `*` stands for all.
        /// - Returns: The proxy.
        public static func server(_ url: URL, except hosts: [String] = []) -> Proxy {
            Proxy(kind: .server(url.absoluteString, except: hosts.joined(separator: ",")))
        }
    }
}

extension CurlTransport.Proxy {
    /// The proxies that the environment names, by the variables' names.
    ///
    /// Read once: a process that changes its own environment while others read it is lost anyway.
    static let ofEnvironment = ProcessInfo.processInfo.environment.filter { name, value in
        name.lowercased().hasSuffix("_proxy") && !value.isEmpty
    }

    /// Whether an `http` URL may go to a proxy that is sent the whole of it, as one for SOCKS is not.
    var mayForward: Bool {
        switch kind {
        case .none: return false
        case .server(let place, _): return !place.lowercased().hasPrefix("socks")
        case .environment:
            let names = ["http_proxy", "all_proxy", "ALL_PROXY"]
            let place = names.lazy.compactMap { Self.ofEnvironment[$0] }.first
            return place.map { !$0.lowercased().hasPrefix("socks") } ?? false
        }
    }

    /// Whether the proxy itself may be reached by TLS.
    var mayBeSecure: Bool {
        switch kind {
        case .none: false
        case .server(let place, _): place.lowercased().hasPrefix("https:")
        case .environment: Self.ofEnvironment.values.contains { $0.lowercased().hasPrefix("https:") }
        }
    }
}

extension CurlTransport.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Which proxy is used; of one of your own scheme, host and port.
    public var description: String {
        switch kind {
        case .environment: "environment"
        case .none: "none"
        case .server(let place, _): URL(string: place).map(TransportError.place) ?? "server"
        }
    }

    /// As ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, which would show the proxy's password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
