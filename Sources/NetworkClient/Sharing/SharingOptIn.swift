import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// That a request may share its exchange with identical ones.
///
/// Nothing but header fields, URL and body travels with a `URLRequest` on every platform, so the opt-in rides as two
/// fields, which the client removes before an interceptor or a transport can see them.
struct SharingOptIn: Hashable, Sendable {
    /// A further mark that sharing requests must have in common; nil if none was given.
    let customHash: String?

    static let flagField = "X-Instance-Caching"
    static let hashField = "X-Instance-Caching-Hash"

    init?(of request: URLRequest) {
        guard request.value(forHTTPHeaderField: Self.flagField) != nil else { return nil }
        customHash = request.value(forHTTPHeaderField: Self.hashField)
    }
}
