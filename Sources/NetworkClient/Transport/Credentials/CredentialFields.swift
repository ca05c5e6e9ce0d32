/// The header fields that belong to one origin.
///
/// They do not follow a redirect to another origin, and are not sent to another origin by a client with a base URL.
struct CredentialFields: Sendable {
    /// Names of further fields that the client's configuration calls sensitive.
    let sensitiveHeaders: [String]

    /// Returns whether a field of this name belongs to its origin.
    func contains(_ name: String) -> Bool {
        SensitiveNames.contains(name)
            || (Self.standard + sensitiveHeaders).contains { HeaderField.isSameName($0, name) }
    }

    /// Removes the fields from a request, except those that `kept` has with the same value.
    func remove(from request: inout URLRequest, keeping kept: [String: String] = [:]) {
        for (name, value) in request.allHTTPHeaderFields ?? [:] where contains(name) {
            let isKept = kept.contains { HeaderField.isSameName($0.key, name) && $0.value == value }
            if !isKept { request.set(header: .custom(name: name, value: nil)) }
        }
    }

    /// Fields in addition to the ones whose names reveal a secret: `Origin` and `Host` name the origin, and `Referer`
    /// may hold secrets in its URL; `Last-Event-ID` holds what a server has put into the id of an event.
    private static let standard = ["Origin", "Host", "Referer", "Last-Event-ID"]
}

/// The origin to which a call sends credentials: that of the client's base URL.
///
/// Credentials that interceptors added to a request for another origin are removed again, unless the caller's request
/// had them already: then the caller meant them for that origin.
struct CredentialScope: Sendable {
    /// The origin; nil for none.
    let origin: Origin?
    let fields: CredentialFields
    /// The header fields of the caller's request.
    let given: [String: String]

    /// Creates the scope of a client with a base URL; nil without one, unless the calls have left its origin.
    init?(_ baseURL: URL?, hasLeftOrigin: Bool, _ fields: CredentialFields, given: [String: String]) {
        guard baseURL != nil || hasLeftOrigin else { return nil }
        origin = hasLeftOrigin ? nil : baseURL.map { Origin(of: $0) }
        (self.fields, self.given) = (fields, given)
    }

    /// Returns whether credentials may go to a URL.
    func contains(_ url: URL) -> Bool { origin.map { Origin.isOne(of: [$0], url) } ?? false }

    func confine(_ request: inout URLRequest) {
        guard let url = request.url, !contains(url) else { return }
        fields.remove(from: &request, keeping: given)
    }
}

/// A person of a token session, for whom a token stands that changes with each refresh.
struct SessionPerson: Hashable, Sendable {
    let session: UUID
    /// The session's count of changes of person.
    let number: Int
}

/// A person whose token a request gets, the name of the token's field, and a number that changes with the token.
typealias KnownPerson = (person: SessionPerson, field: String, version: Int)

/// Which fields of a request decide what the response is, as far as their names tell.
enum FieldRoles {
    /// Returns whether a field only identifies a call, without changing its meaning: W3C Trace Context and Baggage, B3,
    /// and request identifiers; the name in lowercase.
    static func isForTracing(_ name: String) -> Bool { name.hasPrefix("x-b3-") || tracing.contains(name) }

    /// Returns whether a field never tells for whom a response is: fields for tracing, and what servers name in `Vary`,
    /// or a cache handles itself (negotiation, conditions, parts, directives, the content of the request).
    static func choosesNothing(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("content-") || others.contains(name) || isForTracing(name)
    }

    private static let tracing: Set<String> = [
        "traceparent", "tracestate", "baggage", "b3", "x-request-id", "x-correlation-id", "x-amzn-trace-id",
        "x-cloud-trace-context", "request-id", "sentry-trace", "x-datadog-trace-id", "x-datadog-parent-id",
        "x-datadog-sampling-priority",
    ]

    private static let others: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language",
        "cache-control", "pragma", "user-agent", "range", "if-range", "if-match", "if-none-match", "if-modified-since",
        "if-unmodified-since", "connection", "te", "priority", "date", "dnt", "sec-gpc", "upgrade-insecure-requests",
    ]
}
