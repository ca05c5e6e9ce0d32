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
        let timeout = options.timeout ?? (request.timeoutInterval == Self.foundationTimeout ? timeout : nil)
        // Setting anything copies the request.
        if let timeout, timeout != request.timeoutInterval { request.timeoutInterval = timeout }
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
        guard let resolved = URL(string: text), Origin(of: resolved) == Origin(of: baseURL), !Self.climbs(relative)
        else {
            throw NetworkClient.Error.invalidUrl(originalUrl: url.absoluteString)
        }
        return resolved
    }

    /// Whether a path has a segment `.` or `..`, escaped or not, which would leave the path of the base URL.
    private static func climbs(_ text: String) -> Bool {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").contains { segment in
            [".", ".."].contains(segment.lowercased().replacingOccurrences(of: "%2e", with: "."))
        }
    }

    private static let foundationTimeout: TimeInterval = 60
}
