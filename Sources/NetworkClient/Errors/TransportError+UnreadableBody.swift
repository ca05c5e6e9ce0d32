import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// A request's body could not be read to its end; an error of the library's own says why by itself, unless it is
    /// one that the user's sequence passed on from elsewhere.
    init(unreadableBody error: any Swift.Error, request: URLRequest) {
        var error = error
        if let failure = error as? SequenceBodyFailure {
            guard let underlying = StreamChunks.cause(of: failure.underlying) else {
                self.init(.bodyUnreadable, request: request, underlying: failure.underlying)
                return
            }
            error = underlying
        }
        let own = error as? TransportError
        self.init(own?.reason ?? .bodyUnreadable, request: request, detail: own?.detail, underlying: error)
    }
}
