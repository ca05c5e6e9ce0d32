import NetworkUtilities

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// A copy that may share its exchange: while such a request is in flight, an identical one of the same client waits
    /// for its response instead of being sent too.
    ///
    /// Requests are identical if, as they leave the interceptors, method, URL bytes, body bytes and all header fields
    /// except those for tracing are equal, the cookies of the client's store included, and so are redirect policy, body
    /// limit and timeout. Each caller has a total timeout of its own. A request with a streamed body is never shared.
    /// Nothing is kept once the response is there. Two identical POSTs become one as two GETs do.
    ///
    /// - Parameter customHash: A further mark that must be equal too; it can only tell requests apart.
    /// - Returns: The changed copy. The client takes the mark off before its interceptors run; anything else that sends
    ///   the request sends the mark too.
    public func withInstanceCaching(customHash: String? = nil) -> URLRequest {
        var copy = clearingInstanceCaching()
        copy.set(header: .custom(name: SharingOptIn.flagField, value: "1"))
        if let customHash { copy.set(header: .custom(name: SharingOptIn.hashField, value: customHash)) }
        return copy
    }

    /// A copy that does not share its exchange: undoes ``withInstanceCaching(customHash:)``.
    ///
    /// - Returns: The changed copy.
    public func clearingInstanceCaching() -> URLRequest {
        guard SharingOptIn.isLeft(in: allHTTPHeaderFields ?? [:]) else { return self }
        var copy = self
        copy.set(header: .custom(name: SharingOptIn.flagField, value: nil))
        copy.set(header: .custom(name: SharingOptIn.hashField, value: nil))
        return copy
    }
}
