#if os(Linux)
import NetworkClient

extension RequestVariant {
    static let curlTransport = RequestVariant("fetch, CurlTransport") { target in
        let transport = try CurlTransport()
        return fetching(target, transport) { transport.shutDown() }
    }
}
#endif
