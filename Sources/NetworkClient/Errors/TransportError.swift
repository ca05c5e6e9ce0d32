public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Why an exchange with a server failed, or could not begin.
///
/// ``reason`` tells the cases apart. The text names the place without query, user or password, and never shows a header
/// field or a body.
public struct TransportError: Swift.Error, Sendable {
    /// What failed.
    public let reason: Reason

    /// Where, as scheme, host, port and path; nil if the request had no URL.
    public let place: String?

    /// Which part of making the connection secure failed, if that was it and the transport can tell.
    public let securityFailure: SecurityFailure?

    /// The status with which a proxy refused to connect to the server, such as 407; nil if it was something else, or
    /// the transport cannot tell.
    public let proxyStatus: Int?

    /// What the layer below said, if anything; of URLSession's errors the code and the text, without the URL.
    public let underlying: (any Swift.Error)?

    /// More about this very failure, as a part of a sentence.
    let detail: String?

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - reason: What failed.
    ///   - request: The request, of which only the place is kept.
    ///   - detail: More about this very failure, as a part of a sentence, without anything secret.
    ///   - securityFailure: Which part of making the connection secure failed; it says more where `detail` does not.
    ///   - proxyStatus: The status with which a proxy refused to connect.
    ///   - underlying: What the layer below said.
    public init(
        _ reason: Reason,
        request: URLRequest? = nil,
        detail: String? = nil,
        securityFailure: SecurityFailure? = nil,
        proxyStatus: Int? = nil,
        underlying: (any Swift.Error)? = nil
    ) {
        self.reason = reason
        self.detail = detail ?? securityFailure?.sentence
        self.securityFailure = securityFailure
        self.proxyStatus = proxyStatus
        self.underlying = underlying
        place = request?.url.map(Self.place)
    }

    /// Scheme, host, port and path of a URL, and of its path's parameters the names: what may be shown.
    static func place(of url: URL) -> String {
        let place = placeWithParameters(of: url)
        guard place.contains(";") else { return place }
        let segments = place.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            let parts = segment.split(separator: ";", omittingEmptySubsequences: false)
            let parameters = parts.dropFirst().map { parameter -> String in
                parameter.firstIndex(of: "=").map { parameter[...$0] + "***" } ?? String(parameter)
            }
            return ([String(parts.first ?? "")] + parameters).joined(separator: ";")
        }
        return segments.joined(separator: "/")
    }

    private static func placeWithParameters(of url: URL) -> String {
        let text = url.absoluteString.prefix { $0 != "?" && $0 != "#" }
        let start: Substring.Index
        if text.hasPrefix("//") {
            // Without a scheme there may be a host all the same (RFC 3986 §4.2), and a password before it.
            start = text.index(text.startIndex, offsetBy: 2)
        } else if let scheme = text.firstIndex(of: ":") {
            start = text[scheme...].hasPrefix("://") ? text.index(scheme, offsetBy: 3) : text.index(after: scheme)
        } else {
            return String(text.prefix { $0 != "@" })
        }
        let authority = text[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(text) }
        return String(text[..<start] + text[text.index(after: at)...])
    }
}

extension TransportError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, LocalizedError {
    /// One sentence: what failed, and where.
    public var description: String {
        let target = place.map { " to '\($0)'" } ?? ""
        return "The request\(target) failed: \(detail ?? reason.sentence)."
    }

    /// The same sentence.
    public var debugDescription: String { description }

    /// A mirror without children: what the layer below said may quote the whole URL.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The same sentence.
    public var errorDescription: String? { description }
}
