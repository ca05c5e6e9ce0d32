public import HTTPTypes

extension HTTPFields {
    /// The fields that a gateway passes on, in their order: without those of one connection (RFC 9110 §7.6.1).
    ///
    /// Left out are `Connection` and the fields that it names, `Keep-Alive`, `Transfer-Encoding`, `TE`, `Trailer`,
    /// `Upgrade`, `Proxy-Connection`, the credentials of a proxy, and `Expect`, which the server of the gateway has
    /// responded to and the client's transport sends itself.
    public var endToEnd: HTTPFields {
        var names = Self.namesOfOneConnection
        for value in self[values: .connection] {
            for option in value.split(separator: ",") {
                let text = option.drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
                if let name = HTTPField.Name(String(text)) { names.insert(name) }
            }
        }
        var fields = self
        fields.removeAll { names.contains($0.name) }
        return fields
    }

    private static let namesOfOneConnection: Set<HTTPField.Name> = {
        let others = ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }
        return Set(others).union([
            .connection, .transferEncoding, .te, .trailer, .upgrade, .expect, .proxyAuthenticate, .proxyAuthorization,
        ])
    }()
}
