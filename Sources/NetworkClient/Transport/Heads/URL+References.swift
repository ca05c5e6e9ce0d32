/// The URLs to which responses lead: `Location`, `Link` and the like.
extension URL {
    /// Resolves a reference relative to this URL, which was requested (RFC 3986 §5.2); returns nil for an invalid URL.
    ///
    /// The authority of the request's URL, including user and password, is kept unless the reference has its own. If
    /// the target has no fragment, it gets the fragment of the request's URL (RFC 9110 §10.2.2). The fragment is added
    /// as text, since the setter of `URLComponents` traps on text that isn't escaped.
    func resolving(_ reference: String, keepsFragment: Bool = true) -> URL? {
        guard let target = parse(reference.trimmingCharacters(in: .whitespaces))?.absoluteString else { return nil }
        guard keepsFragment else { return URL(string: target) }
        let fragment = absoluteString.drop { $0 != "#" }
        return URL(string: target.contains("#") ? target : target + fragment)
    }

    /// Parses a URL; escapes bytes that the server should have escaped and that older systems refuse.
    private func parse(_ reference: String) -> URL? {
        let allowed = CharacterSet(charactersIn: "!"..."~").subtracting(CharacterSet(charactersIn: "\"<>\\^`{|}"))
        if let target = URL(string: reference, relativeTo: self) { return target }
        let escaped = reference.addingPercentEncoding(withAllowedCharacters: allowed)
        return escaped.flatMap { URL(string: $0, relativeTo: self) }
    }

    /// Returns why a request must not go from this URL to another, as words that follow "leads"; nil if it may.
    func flaw(ofLinkTo target: URL) -> String? {
        let scheme = target.scheme?.lowercased() ?? ""
        guard scheme == "https" || scheme == "http" else {
            return "to a URL with the scheme '\(scheme)', which is not HTTP"
        }
        guard target.host?.isEmpty == false else { return "to a URL that names no host" }
        return scheme == "http" && self.scheme?.lowercased() == "https" ? "from https to http" : nil
    }
}

extension URLRequest {
    /// The request without its body, to be kept longer than that.
    var withoutBody: URLRequest {
        var request = self
        request.httpBody = nil
        request.httpBodyStream = nil
        return request
    }

    /// Makes the request a GET without a body and the fields that describe it.
    mutating func turnIntoGet() {
        method = .get
        httpBody = nil
        httpBodyStream = nil
        for name in Self.contentFields where value(forHTTPHeaderField: name) != nil {
            set(header: .custom(name: name, value: nil))
        }
    }

    /// Fields that describe a body, for a next request that has no body.
    private static let contentFields = [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Content-Range",
        "Content-MD5", "Content-Digest", "Repr-Digest", "Digest", "Last-Modified", "Transfer-Encoding", "Expect",
    ]
}
