extension HeaderField {
    /// The fields with those of one name combined, `v1,v2` (RFC 9110 §5.3), at the place of the first.
    ///
    /// One without a value stays only where no other has its name.
    package static func joined(_ fields: [HeaderField]) -> [HeaderField] {
        var result: [HeaderField] = []
        result.reserveCapacity(fields.count)
        for field in fields {
            guard let index = result.firstIndex(where: { isSameName($0.name, field.name) }) else {
                result.append(field)
                continue
            }
            guard let value = field.value else { continue }
            let first = result[index]
            result[index] = HeaderField(known: first.name, first.value.map { combined(first.name, $0, value) } ?? value)
        }
        return result
    }

    /// The value of a field that is given twice: both with a comma between them (RFC 9110 §5.3), a semicolon in
    /// `Cookie`, which is not a list of HTTP's (RFC 6265 §4.2.1), and the second alone where there can be only one.
    static func combined(_ name: String, _ first: String, _ second: String) -> String {
        if singletons.contains(where: { isSameName($0, name) }) { return second }
        return isSameName(name, "Cookie") ? "\(first); \(second)" : "\(first),\(second)"
    }

    /// Request fields whose value is not a list, so that two values combined are not a value (RFC 9110, and the
    /// standards of the fields in the last three lines).
    private static let singletons = [
        "Authorization", "Proxy-Authorization", "Content-Length", "Content-Location", "Content-Range", "Content-Type",
        "Date", "From", "Host", "If-Modified-Since", "If-Range", "If-Unmodified-Since", "Last-Modified", "Max-Forwards",
        "Range", "Referer", "User-Agent",
        "Access-Control-Request-Method", "Content-Disposition", "Depth", "Destination", "DPoP", "ETag",
        "Idempotency-Key", "Last-Event-ID", "Origin", "Overwrite", "Sec-WebSocket-Key", "SOAPAction", "traceparent",
        "Upgrade-Insecure-Requests",
    ]
}
