#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A stage at which the request is complete: ``QueryStage`` and ``HeaderStage``.
public protocol CompleteStage {}

extension RequestBuilder: ResultBuilding where Stage: CompleteStage {
    /// The request as described so far.
    ///
    /// - Returns: A new request each time, equal in URL, headers and body.
    public func build() -> URLRequest {
        draft.makeRequest()
    }
}
