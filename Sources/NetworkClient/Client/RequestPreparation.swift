import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the client does to a request before the first interceptor sees it.
struct RequestPreparation: Sendable {
    let baseURL: URL?
    let timeout: TimeInterval?
    /// Fields that the client supplies; the request's own go before them.
    let defaultHeaders: [String: String]

    func prepare(_ request: URLRequest, _ options: CallOptions) throws -> URLRequest {
        var request = request.clearingInstanceCaching()
        if let url = request.url, url.scheme == nil { request.url = try resolve(url) }
        let timeout = options.timeout ?? self.timeout(of: request.timeoutInterval)
        // Setting anything copies the request.
        if timeout != request.timeoutInterval { request.timeoutInterval = timeout }
        for (name, value) in defaultHeaders where request.value(forHTTPHeaderField: name) == nil {
            request.set(header: .custom(name: name, value: value))
        }
        return request
    }

    /// The client's timeout for a request that has only Foundation's default; the request's own otherwise.
    private func timeout(of requestTimeout: TimeInterval) -> TimeInterval {
        switch requestTimeout {
        case URLRequest.defaultTimeout: timeout ?? requestTimeout
        case URLRequest.chosenDefaultTimeout: URLRequest.defaultTimeout
        default: requestTimeout
        }
    }

    /// Appends a relative URL to the base URL, as a builder that has a base URL appends a path.
    private func resolve(_ url: URL) throws -> URL {
        guard let baseURL, baseURL.scheme != nil, let resolved = try? RequestPath.resolve(url, against: baseURL) else {
            throw NetworkClient.Error.invalidUrl(originalUrl: url.absoluteString)
        }
        return resolved
    }
}
