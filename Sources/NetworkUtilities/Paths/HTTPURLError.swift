/// The error for text or components that don't form an `http` or `https` URL with a host.
///
/// The description contains no user, password or query.
@nonexhaustive
public enum HTTPURLError: Error, Hashable, Sendable {
    /// The text is empty.
    case empty

    /// The text is not a URL.
    case invalid(String)

    /// The text has no scheme, such as `api.example.com/v1` and `localhost:8080`.
    case missingScheme(String)

    /// The scheme isn't `http` or `https`.
    case unsupportedScheme(String)

    /// The URL has no host, as in `https:///v1`.
    case missingHost(String)

    /// The host contains characters that a host can't contain, or is not a valid IPv6 address.
    case invalidHost(String)

    /// The port is not in the range from 1 to 65,535.
    case invalidPort(Int)

    /// The path can't be used.
    case invalidPath(RequestPathError)
}

extension HTTPURLError: DescribedError {
    /// A sentence that names the cause.
    public var description: String {
        switch self {
        case .empty: "The URL is empty."
        case .invalid(let text): "'\(text)' is not a valid URL."
        case .missingScheme(let text): "The URL '\(text)' has no scheme, such as https."
        case .unsupportedScheme(let scheme):
            "The URL has the scheme '\(scheme)', but only http and https are supported\(Self.hint(for: scheme))."
        case .missingHost(let text): "The URL '\(text)' has no host."
        case .invalidHost(let host): "'\(host)' is not a valid host."
        case .invalidPort(let port): "The port \(port) is not in the range from 1 to 65535."
        case .invalidPath(let error): error.description
        }
    }

    /// What to use for a scheme of WebSocket; empty for another one.
    package static func hint(for scheme: String) -> String {
        guard ["ws", "wss"].contains(scheme.lowercased()) else { return "" }
        return ": a WebSocket is opened by client.webSocket(…), and events from a server are read by client.events(…)"
    }
}

extension URL {
    /// Creates an HTTP URL from text, for example from a configuration file.
    ///
    /// ```swift
    /// let base = try URL(http: "https://api.example.com/v1")
    /// let url = try URL(http: "https://example.com/items?page=1")
    /// let request = URLRequest.get(url: url).build()
    /// ```
    /// The text of a valid URL stays unchanged; Foundation may escape characters that a URL can't contain. Throws
    /// ``HTTPURLError`` if the text isn't an `http` or `https` URL with a host (RFC 9110 §4.2).
    public init(http text: String) throws(HTTPURLError) {
        guard !text.isEmpty else { throw .empty }
        guard !HTTPURLError.beginsWithHost(text) else { throw .missingScheme(HTTPURLError.shown(text)) }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let url = URL(string: text),
            url.scheme?.isEmpty != true
        else { throw .invalid(HTTPURLError.shown(text)) }
        guard let scheme = url.scheme else { throw .missingScheme(HTTPURLError.shown(text)) }
        guard ["http", "https"].contains(scheme.lowercased()) else { throw .unsupportedScheme(scheme) }
        guard let host = url.host, !host.isEmpty else { throw .missingHost(HTTPURLError.shown(text)) }
        guard !HTTPURLError.namesPort(text) || url.port.map((1...65_535).contains) == true else {
            throw .invalid(HTTPURLError.shown(text))
        }
        self = url
    }

    /// Creates an HTTP URL from its components: `URL(host: "api.example.com", path: "v1")`.
    ///
    /// - Parameters:
    ///   - scheme: `http` or `https`.
    ///   - host: A name or an address; the brackets of an IPv6 address may be left out.
    ///   - port: A port from 1 to 65,535; nil for the default of the scheme.
    ///   - path: The path, with or without a `/` in front. Existing escapes stay; characters that a URL can't contain
    ///     are escaped.
    /// - Throws: ``HTTPURLError``.
    public init(
        scheme: String = "https",
        host: String,
        port: Int? = nil,
        path: String = ""
    ) throws(HTTPURLError) {
        guard ["http", "https"].contains(scheme.lowercased()) else { throw .unsupportedScheme(scheme) }
        guard !host.isEmpty else { throw .missingHost("\(scheme)://") }
        guard let host = HTTPURLError.host(host) else { throw .invalidHost(HTTPURLError.shown(host)) }
        if let port, !(1...65_535).contains(port) { throw .invalidPort(port) }
        let origin = try URL(http: "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")")
        guard !path.isEmpty else {
            self = origin
            return
        }
        do {
            self = try RequestPath(pieces: [.init(text: path, kind: .literal)]).resolved(against: origin)
        } catch {
            throw .invalidPath(error.withoutQuery)
        }
    }
}

extension RequestPathError {
    /// The error without the query and the fragment of its path.
    fileprivate var withoutQuery: Self {
        func cut(_ place: Place) -> Place {
            Place(value: place.value, path: String(Substring(URLParts(place.path.utf8).head)))
        }
        return switch self {
        case .emptyPath: self
        case .emptySegment(let place): .emptySegment(cut(place))
        case .dotSegment(let place): .dotSegment(cut(place))
        case .completeURL(let place): .completeURL(cut(place))
        case .notAURL(let place): .notAURL(cut(place))
        }
    }
}

extension HTTPURLError {
    /// Returns the text of an invalid URL without user, password, query and fragment.
    ///
    /// An invalid URL can't be split into components, so its password may end at any `@`. If an `@` follows a `?`, it
    /// may belong to the password or to the query, and nothing is shown.
    package static func shown(_ text: String) -> String {
        let head = URLParts(text.utf8).head
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return String(Substring(head)) }
        return at < head.endIndex ? String(Substring(head[at...].dropFirst())) : "***"
    }

    /// Returns whether a text begins with a host and a port, as in `localhost:8080`, in which `localhost` has the form
    /// of a scheme (RFC 3986 §3.1).
    package static func beginsWithHost(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else { return false }
        let host = text[..<colon].lowercased()
        guard !["http", "https"].contains(host), !host.utf8.contains(where: "/?#@".utf8.contains) else { return false }
        let port = text.utf8[colon...].dropFirst().prefix { !"/?#".utf8.contains($0) }
        return port.allSatisfy(ASCII.isDigit) && Int(Substring(port)).map((1...65_535).contains) == true
    }

    /// Returns whether a URL has a port after its host; `URL.port` is nil for one that is too large for an `Int`.
    fileprivate static func namesPort(_ url: String) -> Bool {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let authority = url.utf8[colon...].dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        return authority.reversed().drop(while: ASCII.isDigit).first == UInt8(ascii: ":")
            && authority.last != UInt8(ascii: ":")
    }

    /// Returns the host in the form that a URL needs, with an IPv6 address in brackets (RFC 3986 §3.2.2); nil if it is
    /// invalid.
    fileprivate static func host(_ host: String) -> String? {
        guard host.utf8.contains(UInt8(ascii: ":")) else {
            return host.utf8.contains { $0 <= 0x20 || $0 == 0x7F || "/?#@[]\\<>^`{|}\"".utf8.contains($0) } ? nil : host
        }
        let hasBrackets = host.hasPrefix("[") && host.hasSuffix("]")
        let address = hasBrackets ? String(host.dropFirst().dropLast()) : host
        guard IPv6Address.isValid(address) else { return nil }
        return "[\(address)]"
    }
}

/// The text of IPv6 addresses (RFC 4291 §2.2), without brackets.
package enum IPv6Address {
    /// Returns whether the system reads the text as an address; a zone, as in `fe80::1%en0`, is not part of one.
    package static func isValid(_ text: String) -> Bool {
        // C reads a text to its first zero.
        guard !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "%") }) else { return false }
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}
