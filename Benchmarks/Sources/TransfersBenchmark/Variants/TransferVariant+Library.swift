import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransferVariant {
    /// The name of the library with the transport that it has on Linux.
    public static let curlTransportName = "NetworkClient, CurlTransport"

    /// The name of the library with the transport that it has elsewhere.
    public static let sessionTransportName = "NetworkClient, URLSessionTransport"

    static let sessionTransport = TransferVariant(sessionTransportName) {
        let transport = URLSessionTransport(session: URLSession(configuration: .ephemeral))
        return library(transport) { transport.shutDown() }
    }

    #if os(Linux)
    static let curlTransport = TransferVariant(curlTransportName) {
        let transport = try CurlTransport()
        return library(transport) { transport.shutDown() }
    }
    #endif

    private static func library(
        _ transport: any Transport,
        end: @escaping @Sendable () -> Void
    ) -> TransferClient {
        let transfers = LibraryTransfers(client: NetworkClient(transport: transport, logging: .off))
        return TransferClient(transfer: transfers.transfer, end: end)
    }
}
