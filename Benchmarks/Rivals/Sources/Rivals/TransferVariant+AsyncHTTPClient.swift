import AsyncHTTPClient
import Foundation
import NIOCore
import TransfersBenchmark

extension TransferVariant {
    /// Bodies are sequences of buffers both ways; the files are read and written where these are made and taken.
    static let asyncHTTPClient = TransferVariant("AsyncHTTPClient 1.37.0") {
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        let transfers = AsyncHTTPClientTransfers(client: client)
        return TransferClient(transfer: transfers.transfer) { try await client.shutdown() }
    }
}
