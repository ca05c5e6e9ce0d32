import Foundation
import NetworkClient

/// The transports of the library.
enum TransportKind: String, CaseIterable, Sendable {
    case session = "URLSessionTransport"
    case curl = "CurlTransport"

    /// The transports of this platform.
    static var available: [TransportKind] {
        #if os(Linux)
        allCases
        #else
        [.session]
        #endif
    }

    /// Makes a new transport with a limit of connections to one server.
    func make(connections: Int) throws -> any Transport & AnyObject {
        #if os(Linux)
        if self == .curl { return try CurlTransport(configuration: .init(connectionsPerHost: 512)) }
        #endif
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpCookieStorage = nil
        return URLSessionTransport(session: URLSession(configuration: configuration))
    }
}
