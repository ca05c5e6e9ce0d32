/// A response that a script sends, with or without the right length.
///
/// A response with a body has a `Content-Type`, by default `application/octet-stream`: without one, or with
/// `text/plain`, CFNetwork withholds the head until 512 bytes of the body, or its end, have arrived.
package struct ScriptedResponse: Sendable {
    /// The length of the body as specified by the response.
    package enum Length: Sendable {
        /// The actual length of the body; no field for 1xx, 204 and 304.
        case automatic
        /// No field: the body ends with the connection, unless the headers specify another framing.
        case omitted
        /// The given number, even if it is wrong.
        case stated(Int)
    }

    let status: Int
    var reason: String?
    let headers: WireFields
    var length = Length.automatic
    var body: [UInt8] = []

    func bytes(headOnly: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(reason ?? Self.reasons[status] ?? "Status")\r\n"
        if canHaveBody, !body.isEmpty || !isLengthAutomatic, headers["Content-Type"] == nil {
            head += "Content-Type: application/octet-stream\r\n"
        }
        for field in headers {
            head += "\(field.name): \(field.value)\r\n"
        }
        switch length {
        case .automatic where !canHaveBody: break
        case .automatic: head += "Content-Length: \(body.count)\r\n"
        case .omitted: break
        case .stated(let count): head += "Content-Length: \(count)\r\n"
        }
        head += "\r\n"
        return headOnly ? head.wireBytes : head.wireBytes + body
    }

    private var canHaveBody: Bool {
        !(100..<200).contains(status) && status != 204 && status != 304
    }

    private var isLengthAutomatic: Bool {
        guard case .automatic = length else { return false }
        return true
    }

    private static let reasons = [
        100: "Continue", 101: "Switching Protocols", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        409: "Conflict", 412: "Precondition Failed", 413: "Content Too Large", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}
