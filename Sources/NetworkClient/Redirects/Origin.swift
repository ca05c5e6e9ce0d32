import Foundation

/// Scheme, host and port of a URL (RFC 6454 §4): what credentials belong to.
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    init(of url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
