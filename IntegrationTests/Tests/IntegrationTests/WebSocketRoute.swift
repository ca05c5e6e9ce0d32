#if os(Linux)
import Foundation
import NetworkClient
import Testing

/// A route to a WebSocket server.
enum WebSocketRoute: Sendable {
    case plain, tls
    /// The server takes no extension.
    case uncompressed
    /// The server insists on a subprotocol.
    case insisting
    case aiohttp, nginx, nginxTLS, proxy, proxyTLS

    /// All but ``insisting``.
    static let all: [WebSocketRoute] = [
        .plain, .tls, .uncompressed, .aiohttp, .nginx, .nginxTLS, .proxy, .proxyTLS,
    ]

    /// The server at the end of the route, and the index of its port.
    private var server: (script: ServerProcess.Script, port: Int) {
        switch self {
        case .plain, .nginx, .nginxTLS, .proxy: (.websockets, 0)
        case .tls, .proxyTLS: (.websockets, 1)
        case .uncompressed: (.websockets, 2)
        case .insisting: (.websockets, 3)
        case .aiohttp: (.aiohttp, 0)
        }
    }

    private var isSecure: Bool { [.tls, .nginxTLS, .proxyTLS].contains(self) }

    /// Returns a client for the route, through `proxy` if the route has no proxy itself.
    func client(
        _ interceptors: [any InterceptorProtocol] = [],
        cookies: CookieStore? = nil,
        proxy: CurlTransport.Proxy = .none
    ) throws -> NetworkClient {
        let ownProxy =
            try [.proxy, .proxyTLS].contains(self)
            ? CurlTransport.Proxy.server(ServerProcess.of(.tinyproxy).url("")) : nil
        let transport = try CurlTransport(configuration: .init(proxy: ownProxy ?? proxy, security: .ofTests))
        return NetworkClient(
            transport: transport,
            interceptors: interceptors,
            configuration: .init(cookies: cookies)
        )
    }

    /// Returns the URL of a path of the server, with the scheme `ws` or `wss`; nginx connects to the port `upstream`,
    /// or to that of the server.
    func url(_ path: String, upstream: Int? = nil) throws -> String {
        let (scheme, host) = isSecure ? ("wss", "localhost") : ("ws", "127.0.0.1")
        let port = try ServerProcess.of(server.script).ports[server.port]
        guard self == .nginx || self == .nginxTLS else { return "\(scheme)://\(host):\(port)\(path)" }
        let outer = try ServerProcess.of(.nginx).ports[(isSecure ? NginxPort.tls : .plain).rawValue]
        return "\(scheme)://\(host):\(outer)/websocket/\(upstream ?? port)\(path)"
    }

    /// Returns the URL of a path of the server, with the scheme `http` or `https`.
    func httpURL(_ path: String) throws -> URL {
        try URL(http: "http" + url(path).dropFirst(2))
    }

    /// Waits until the server has finished with the socket of a key, and returns the Close that it got.
    func end(of key: String) async throws -> WebSocketClosed {
        struct End: Decodable, Sendable { let code: UInt16, reason: String }
        let end = try await client().fetch(.get(url: httpURL("/ended?key=\(key)")), as: End.self).item
        return WebSocketClosed(code: .init(rawValue: end.code), reason: end.reason)
    }
}

/// The opening request of a socket as the server received it.
struct SeenOpening: Decodable, Sendable {
    let target: String
    let fields: [[String]]
    /// The number of the socket among those of its key.
    let number: Int

    /// The values of a field.
    subscript(_ name: String) -> [String] { fields.filter { $0[0] == name }.map { $0[1] } }
}
#endif
