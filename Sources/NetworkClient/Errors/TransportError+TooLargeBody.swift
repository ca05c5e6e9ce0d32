import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// A body has more bytes than it may.
    init(tooLargeBody limit: Int, request: URLRequest) {
        self.init(.bodyTooLarge, request: request, detail: "the body is longer than \(limit) bytes")
    }
}
