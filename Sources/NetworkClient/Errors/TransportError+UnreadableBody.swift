import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// A request's body could not be read to its end; an error of the library's own says why by itself.
    init(unreadableBody error: any Swift.Error, request: URLRequest) {
        let own = error as? TransportError
        self.init(own?.reason ?? .bodyUnreadable, request: request, detail: own?.detail, underlying: error)
    }
}
