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
        if let timeout = options.timeout {
            request.timeoutInterval = timeout
        } else if let timeout, request.timeoutInterval == Self.foundationTimeout {
            request.timeoutInterval = timeout
        }
        for (name, value) in defaultHeaders where request.value(forHTTPHeaderField: name) == nil {
            request.set(header: .custom(name: name, value: value))
        }
        return request
    }

    /// Appends a relative URL to the base URL; one that names a host of its own (`//host/path`) is refused, since it
    /// would take the client's credentials there.
    private func resolve(_ url: URL) throws -> URL {
        let relative = url.relativeString
        guard let baseURL, baseURL.scheme != nil, !relative.hasPrefix("//") else {
            throw NetworkClient.Error.invalidUrl(originalUrl: url.absoluteString)
        }
        let base = baseURL.absoluteString
        let root = String(base.prefix { $0 != "?" && $0 != "#" })
        let head = root.hasSuffix("/") ? String(root.dropLast()) : root
        let isPath = !relative.isEmpty && !relative.hasPrefix("?") && !relative.hasPrefix("#")
        let text =
            isPath ? "\(head)/\(relative.hasPrefix("/") ? relative.dropFirst() : relative[...])" : root + relative
        guard let resolved = URL(string: text), resolved.host == baseURL.host else {
            throw NetworkClient.Error.invalidUrl(originalUrl: url.absoluteString)
        }
        return resolved
    }

    private static let foundationTimeout: TimeInterval = 60
}
