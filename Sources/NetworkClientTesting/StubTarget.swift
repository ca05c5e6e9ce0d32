/// A URL or a pattern, split into origin, path and query.
struct StubTarget {
    /// Whether the text begins with a scheme and an authority, rather than with the path.
    let isComplete: Bool
    /// The scheme and the authority; nil if they are missing or invalid.
    let origin: Origin?
    /// The path, which begins with a slash.
    let path: String
    /// The query without its question mark; nil if there is none.
    let query: String?

    init(_ text: String) {
        let head = text.prefix { $0 != "?" && $0 != "#" }
        let rest = text[head.endIndex...].prefix { $0 != "#" }
        query = rest.isEmpty ? nil : String(rest.dropFirst())
        // A path or a query may contain another URL.
        let scheme = head.range(of: "://").flatMap { head[..<$0.lowerBound].contains("/") ? nil : $0 }
        isComplete = scheme != nil
        guard let scheme else {
            origin = nil
            path = head.hasPrefix("/") ? String(head) : "/" + head
            return
        }
        let start = head[scheme.upperBound...].firstIndex(of: "/") ?? head.endIndex
        origin = URL(string: String(head[..<start])).map { Origin(of: $0) }
        path = start == head.endIndex ? "/" : String(head[start...])
    }

    /// Returns a text for failures, without user and password, and with masked values of secret names in the query.
    static func shown(_ text: String) -> String {
        let target = StubTarget(text)
        guard let url = URL(string: text) else { return String(text.prefix { $0 != "?" }) }
        guard url.query != nil || target.isComplete else { return text }
        let place = target.isComplete ? url.shownPlace : target.path
        return url.queryItems.isEmpty ? place : "\(place)?\(masked(url.queryItems))"
    }

    static func masked(_ items: [URLQueryItem]) -> String {
        let texts = items.map { item in
            let value = SensitiveNames.contains(item.name) ? item.value.map { _ in "***" } : item.value
            return value.map { "\(item.name)=\($0)" } ?? item.name
        }
        return texts.joined(separator: "&")
    }
}
