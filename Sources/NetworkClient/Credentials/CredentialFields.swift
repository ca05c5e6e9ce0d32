/// The header fields that belong to one origin.
///
/// They do not follow a redirect to another origin, and are not sent to another origin by a client with a base URL.
struct CredentialFields: Sendable {
    /// Names of further fields that the client's configuration calls sensitive.
    let sensitiveHeaders: [String]

    /// Returns whether a field of this name belongs to its origin.
    func contains(_ name: String) -> Bool {
        SensitiveNames.isHeader(name)
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
    /// may hold secrets in its URL.
    private static let standard = ["Origin", "Host", "Referer"]
}

/// The origin to which a client with a base URL sends credentials.
///
/// Credentials that interceptors added to a request for another origin are removed again, unless the caller's request
/// had them already: then the caller meant them for that origin.
struct CredentialScope: Sendable {
    let origin: Origin
    let fields: CredentialFields
    /// The header fields of the caller's request.
    let given: [String: String]

    func confine(_ request: inout URLRequest) {
        guard let url = request.url, Origin(of: url) != origin else { return }
        fields.remove(from: &request, keeping: given)
    }
}
