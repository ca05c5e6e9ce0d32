#if os(Linux)
import NetworkClient

extension RequestVariant {
    static let curlTransport = RequestVariant(curlTransportName) { target in
        let transport = try CurlTransport(configuration: .init(connectionsPerHost: 512))
        return fetching(target, transport) { transport.shutDown() }
    }
}
#endif
