#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension HTTPURLResponse {
    /// The header fields as they were received, in their order and with duplicates, as far as the transport knows them:
    /// URLSession joins fields of one name and does not keep their order.
    public var receivedFields: ResponseFields {
        (self as? ReceivedResponse)?.knownFields ?? ResponseFields(joined: allHeaderFields)
    }

    /// How the exchange went; nil for a response that no client received, that an interceptor made, or that URLSession
    /// made and the server's status was accepted: `Response` knows it all the same.
    public var metrics: TransportMetrics? { (self as? ReceivedResponse)?.knownMetrics }
}
