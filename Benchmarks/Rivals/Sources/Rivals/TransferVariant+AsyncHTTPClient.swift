import AsyncHTTPClient
import Foundation
import NIOCore
import TransfersBenchmark

extension TransferVariant {
    /// AsyncHTTPClient with sequences of buffers as bodies; the files are read and written by the makers and consumers.
    static let asyncHTTPClient = TransferVariant("AsyncHTTPClient 1.37.0") {
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        let transfers = AsyncHTTPClientTransfers(client: client)
        return TransferClient(transfer: transfers.transfer) { try await client.shutdown() }
    }
}
