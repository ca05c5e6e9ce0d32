#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension URLRequest {
    /// The name that requests have for ``NetworkUtilities/HTTPMethod``.
    public typealias HTTPMethod = NetworkUtilities.HTTPMethod

    /// The method as a typed value; nil if `httpMethod` holds something that is no method.
    ///
    /// Setting nil brings back Foundation's own choice, GET. A method that this library has no name for is a value of
    /// its own, never read as GET.
    public var method: HTTPMethod? {
        get { HTTPMethod(rawValue: httpMethod ?? "GET") }
        set { httpMethod = newValue?.rawValue }
    }
}
