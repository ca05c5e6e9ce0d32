/// A link of a `Link` header field (RFC 8288 §3).
struct WebLink: Equatable, Sendable {
    /// The target, a URI reference as it was received.
    let target: String

    /// The relation types of the first parameter `rel`.
    let relations: [String]

    /// Whether the link says that it belongs to another resource than the response (RFC 8288 §3.2).
    let hasAnchor: Bool

    /// Returns whether the link has a relation type, in any letter case (RFC 8288 §2.1.1).
    func has(_ relation: String) -> Bool { relations.contains { ASCII.isSame($0, relation) } }

    /// Reads the links of a field up to the first text that is not a link.
    ///
    /// Relation types without quotes are accepted, as in RFC 5988, and so are empty elements of the list.
    ///
    /// - Returns: The links, and whether the whole field was read.
    static func links(in field: String) -> (links: [WebLink], isComplete: Bool) {
        var rest = Array(field.utf8)[...]
        var links: [WebLink] = []
        var isComplete = true
        while true {
            rest = rest.drop { ASCII.isWhiteSpace($0) || $0 == UInt8(ascii: ",") }
            guard let first = rest.first else { return (links, isComplete) }
            guard first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
            let target = rest[rest.startIndex + 1..<end]
            guard !target.contains(UInt8(ascii: "<")) else { break }
            rest = rest[(end + 1)...].drop(while: ASCII.isWhiteSpace)
            guard rest.first.map({ $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }) != false else { break }
            let (parameters, areWhole) = parameters(atTheBeginningOf: &rest)
            isComplete = isComplete && areWhole
            let relations = parameters.parameter("rel")?.utf8.split(whereSeparator: ASCII.isWhiteSpace) ?? []
            links.append(
                WebLink(
                    target: String(decoding: ASCII.trimmed(target), as: UTF8.self),
                    relations: relations.map { String(decoding: $0, as: UTF8.self) },
                    hasAnchor: parameters.parameter("anchor") != nil
                )
            )
        }
        return (links, false)
    }

    /// Removes the parameters of a link, which end at a comma outside quotes, and returns them as those of a media
    /// type, whose grammar they have, and whether all quotes are where the grammar has them.
    private static func parameters(
        atTheBeginningOf rest: inout ArraySlice<UInt8>
    ) -> (parameters: MediaType, areWhole: Bool) {
        var (isQuoted, isEscaped, areWhole) = (false, false, true)
        var last = UInt8(ascii: ";")
        let parameters = rest.prefix { byte in
            defer {
                isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
                if !ASCII.isWhiteSpace(byte) { last = byte }
            }
            if byte == UInt8(ascii: "\""), !isEscaped {
                areWhole = areWhole && (isQuoted || last == UInt8(ascii: "="))
                isQuoted.toggle()
            }
            return isQuoted || byte != UInt8(ascii: ",")
        }
        rest = rest[parameters.endIndex...]
        return (MediaType(String(decoding: parameters, as: UTF8.self)), areWhole && !isQuoted)
    }
}

extension NetworkClient.Response {
    /// Returns the target of the first link with a relation type, such as `next` or `last`, in the `Link` fields of the
    /// response (RFC 8288).
    ///
    /// Links with an `anchor` belong to another resource and are ignored.
    ///
    /// - Parameter relation: The relation type, in any letter case.
    /// - Returns: The target, resolved against the URL of the response; nil without such a link.
    /// - Throws: ``NetworkClient/Error/requestError(type:)`` with ``TransportError/Reason/malformedResponse`` if the
    ///   target is not a URL, or if a field that cannot be read to its end has no such link.
    public func link(_ relation: String) throws -> URL? {
        var isComplete = true
        for field in fields.values(named: "Link") {
            let (links, isWhole) = WebLink.links(in: field)
            if let link = links.first(where: { $0.has(relation) && !$0.hasAnchor }) {
                let base = httpResponse.url ?? URL(fileURLWithPath: "/")
                guard let url = base.resolving(link.target, keepsFragment: false) else {
                    throw malformed("the link '\(relation)' of the response is not a URL")
                }
                return url
            }
            isComplete = isComplete && isWhole
        }
        guard isComplete else { throw malformed("a Link field of the response has a part that is not a link") }
        return nil
    }

    private func malformed(_ detail: String) -> NetworkClient.Error {
        let request = httpResponse.url.map { URLRequest(url: $0) }
        return .requestError(type: TransportError(.malformedResponse, request: request, detail: detail))
    }
}
