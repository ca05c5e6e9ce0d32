/// Refuses requests that must not be sent, since FoundationNetworking sends line breaks in methods and header names
/// unchanged.
package enum RequestValidation {
    /// Checks a request, which may open a WebSocket, and returns it without `Content-Length`, which the transport sets,
    /// unless it states a stream's length.
    package static func check(_ request: URLRequest, opening: WebSocketOpening? = nil) throws -> URLRequest {
        try checkURL(of: request)
        try opening?.check(request)
        return try checkHead(of: request)
    }

    /// Checks all of a request except its URL, for a transport that may be used without a client.
    @discardableResult
    package static func checkHead(of request: URLRequest) throws -> URLRequest {
        guard let method = request.method else { throw refusal(request, "its method is not a token") }
        let hasBody = request.httpBody?.isEmpty == false || request.httpBodyStream != nil
        if hasBody, bodilessMethods.contains(method) {
            throw refusal(request, "a \(method) request cannot carry a body")
        }
        guard request.timeoutInterval > 0 else { throw refusal(request, "its timeout is not more than 0 seconds") }
        let fields = request.allHTTPHeaderFields ?? [:]
        for (name, value) in fields { try checkField(name, value, request) }
        guard let length = fields.first(where: { HeaderField.isSameName($0.key, "Content-Length") })?.value else {
            return request
        }
        return try removingContentLength(length, from: request)
    }

    /// Removes a correct `Content-Length`, since the transport sets it; with an incorrect one, the exchange would hang
    /// or be truncated.
    private static func removingContentLength(_ length: String, from request: URLRequest) throws -> URLRequest {
        let stream = request.httpBodyStream
        let sequenceLength = (stream as? SequenceInputStream)?.body.length
        if stream != nil, !(stream is BodyInputStream), sequenceLength == nil {
            guard request.statedLength != nil else {
                throw refusal(request, "its 'Content-Length' is not a number of bytes")
            }
            return request
        }
        let actual = sequenceLength ?? (stream as? BodyInputStream)?.source.length ?? request.httpBody?.count ?? 0
        guard length == String(actual) else {
            throw refusal(request, "its 'Content-Length' is '\(length)' and its body has \(actual) bytes")
        }
        return request.setting(header: .custom(name: "Content-Length", value: nil))
    }

    private static let bodilessMethods: Set<HTTPMethod> = [.get, .head, .trace, .connect]

    private static func checkURL(of request: URLRequest) throws {
        guard let url = request.url else { throw TransportError(.invalidURL, request: request) }
        guard !namesHost(url.absoluteString) else { return }
        switch url.scheme?.lowercased() {
        case "file", "data": throw TransportError(.notHTTP, request: request)
        case "http", "https": break
        default: throw TransportError(.invalidURL, request: request)
        }
        guard let host = url.host, !host.isEmpty else { throw TransportError(.invalidURL, request: request) }
    }

    /// Returns whether a URL begins with `http:` or `https:` and a host without a user, without parsing the URL.
    static func namesHost(_ url: String) -> Bool {
        url.utf8.withContiguousStorageIfAvailable { url in
            guard let host = URLText.authority(of: url),
                (0x61...0x7A).contains(url[host] | 0x20) || (0x30...0x39).contains(url[host])
            else { return false }
            // After a user, as in `http://user@/`, the host may be missing.
            for byte in url[host...] {
                if byte == UInt8(ascii: "@") { return false }
                if byte == UInt8(ascii: "/") { break }
            }
            return true
        } ?? false
    }

    private static func checkField(_ name: String, _ value: String, _ request: URLRequest) throws {
        guard HTTPToken.isValid(name) else {
            throw refusal(request, "the name of one of its header fields is not a token")
        }
        guard FieldValue.isValid(value) else {
            throw refusal(request, "its header field '\(name)' holds a control character")
        }
        if HeaderField.isSameName(name, "Host"), value.trimmingCharacters(in: .whitespaces).isEmpty {
            throw refusal(request, "its header field 'Host' is empty")
        }
        if HeaderField.isSameName(name, "Transfer-Encoding") {
            throw refusal(request, "it sets 'Transfer-Encoding', which the client sets itself")
        }
    }

    private static func refusal(_ request: URLRequest, _ detail: String) -> TransportError {
        TransportError(.invalidRequest, request: request, detail: detail)
    }
}
