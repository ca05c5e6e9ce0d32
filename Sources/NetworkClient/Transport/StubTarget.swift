import Foundation
import NetworkUtilities

/// The parts of a URL's text, or of the path of a pattern.
struct StubTarget {
    /// The scheme and the authority; nil if the text begins with the path.
    let origin: Origin?
    /// The path, which begins with a slash.
    let path: String
    /// The query without its question mark; nil if there is none.
    let query: String?

    init(_ text: String) {
        let head = text.prefix { $0 != "?" && $0 != "#" }
        let rest = text[head.endIndex...].prefix { $0 != "#" }
        query = rest.isEmpty ? nil : String(rest.dropFirst())
        guard let scheme = head.range(of: "://") else {
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
        guard let url = URL(string: text), url.query != nil || text.contains("://") else { return text }
        let place = text.contains("://") ? TransportError.place(of: url) : StubTarget(text).path
        return url.queryItems.isEmpty ? place : "\(place)?\(masked(url.queryItems))"
    }

    static func masked(_ items: [URLQueryItem]) -> String {
        let texts = items.map { item in
            let value = SensitiveNames.isField(item.name) ? item.value.map { _ in "***" } : item.value
            return value.map { "\(item.name)=\($0)" } ?? item.name
        }
        return texts.joined(separator: "&")
    }
}
