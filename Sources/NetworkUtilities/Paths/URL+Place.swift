extension URL {
    /// The parts of the URL that may be shown: scheme, host, port and path, with the names but not the values of
    /// path parameters, and without values that tell by themselves; of a long URL only the beginning.
    package var shownPlace: String {
        let (whole, longestPlace) = (placeWithParameters, 2 << 10)
        guard whole.utf8.count > longestPlace else { return Self.masked(whole) }
        return Self.masked(String(decoding: whole.utf8.prefix(longestPlace), as: UTF8.self)) + "…"
    }

    private static func masked(_ place: String) -> String {
        let segments = place.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            let parts = segment.split(separator: ";", omittingEmptySubsequences: false)
            let parameters = parts.dropFirst().map { parameter -> String in
                parameter.firstIndex(of: "=").map { parameter[...$0] + "***" } ?? String(parameter)
            }
            return ([RecognizableSecret.masked(String(parts.first ?? ""))] + parameters).joined(separator: ";")
        }
        return segments.joined(separator: "/")
    }

    private var placeWithParameters: String {
        let text = absoluteString.prefix { $0 != "?" && $0 != "#" }
        let start: Substring.Index
        if text.hasPrefix("//") {
            // A URL without a scheme may have a host (RFC 3986 §4.2), and a password before it.
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
