import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransferVariant {
    static let session = TransferVariant("URLSession") {
        let transfers = SessionTransfers()
        return TransferClient {
            try await transfers.transfer($0, $1)
        } end: {
            transfers.session.invalidateAndCancel()
        }
    }
}
