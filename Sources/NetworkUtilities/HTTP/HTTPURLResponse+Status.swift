#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension HTTPURLResponse {
    /// The status code as a typed value, which has a name and a class.
    public var status: HTTPStatus { HTTPStatus(rawValue: statusCode) }
}
