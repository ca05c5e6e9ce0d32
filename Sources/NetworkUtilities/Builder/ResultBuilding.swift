#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A builder that can give its request, at whichever stage: `URLRequest.ResultBuilder` is any of these.
///
/// For functions that finish what the caller has begun; there is no need to write a type of your own.
public protocol ResultBuilding: Sendable {
    /// The request as described so far.
    ///
    /// - Returns: A new request each time, equal in URL, headers and body.
    func build() -> URLRequest
}
