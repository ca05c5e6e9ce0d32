import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The parts of a request, ready to be put into one.
struct PreparedRequest: Sendable {
    private let url: URL
    /// Nil for GET, which a request is without being told; on Linux, being told costs as much as all the rest.
    private let method: String?
    private let fields: [String: String]?
    private let body: Data?

    init(_ request: URLRequest) {
        url = request.url ?? Input.url
        method = request.httpMethod == "GET" ? nil : request.httpMethod
        fields = request.allHTTPHeaderFields
        body = request.httpBody
    }

    func make() -> URLRequest {
        var request = URLRequest(url: url)
        if let method { request.httpMethod = method }
        request.httpBody = body
        request.allHTTPHeaderFields = fields
        return request
    }
}
