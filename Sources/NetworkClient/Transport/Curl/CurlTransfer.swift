#if os(Linux) || os(Android)
import CCurl
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in libcurl's terms, and a response in Foundation's.
struct CurlTransfer {
    private let request: URLRequest
    private let url: URL
    private let options: TransportOptions
    private let body: CurlBody?

    init(_ request: URLRequest, _ options: TransportOptions) throws {
        guard let url = request.url else { throw NetworkClient.Error.invalidUrl(originalUrl: "") }
        self.request = request
        self.url = url
        self.options = options
        body = try CurlBody(of: request)
    }

    func makeExchange(_ handle: CurlHandle) -> CurlExchange {
        CurlExchange(
            handle: handle,
            source: body?.source,
            bodyLimit: options.bodyLimit,
            idleTimeout: Self.nanoseconds(request.timeoutInterval),
            end: options.totalTimeout.map { CurlExchange.now + Self.nanoseconds($0) } ?? .max
        )
    }

    /// Sets what the transfer needs.
    func describe(to exchange: CurlExchange) throws(CurlFailure) {
        let handle = exchange.handle
        let method = request.httpMethod ?? "GET"
        // Signals are the process's own; of what libcurl speaks besides HTTP, such as `file:`, nothing is wanted.
        try handle.set(CCURL_OPTION_NO_SIGNAL, 1)
        try handle.set(CCURL_OPTION_PROTOCOLS, Int(CCURL_PROTOCOL_HTTP | CCURL_PROTOCOL_HTTPS))
        try handle.set(makeFields(method))
        try handle.set(CCURL_OPTION_URL, url.absoluteString)
        try handle.set(CCURL_OPTION_PATH_AS_IS, 1)
        try handle.set(CCURL_OPTION_ACCEPT_ENCODING, request.value(forHTTPHeaderField: "Accept-Encoding") ?? "")
        if CurlLibrary.hasHTTP2 {
            try handle.set(CCURL_OPTION_HTTP_VERSION, Int(CCURL_HTTP_VERSION_2_OVER_TLS))
        }
        if let body {
            try handle.set(CCURL_OPTION_UPLOAD, 1)
            try handle.set(CCURL_OPTION_UPLOAD_LENGTH, offset: body.length ?? -1)
        }
        if method == "HEAD" {
            try handle.set(CCURL_OPTION_NO_BODY, 1)
        } else if method != "GET" || body != nil {
            try handle.set(CCURL_OPTION_CUSTOM_REQUEST, method)
        }
        exchange.connect(sendsBody: body != nil)
    }

    private func makeFields(_ method: String) throws(CurlFailure) -> CurlFieldList {
        var fields = CurlFieldList()
        for (name, value) in request.allHTTPHeaderFields ?? [:] where !HeaderField.isSameName(name, "Accept-Encoding") {
            // Without a value, libcurl takes the field for one that is to be left out, unless it ends in a semicolon.
            try fields.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        if let body {
            // A server that does not know the expectation would keep the transfer waiting.
            try fields.append("Expect:")
            if body.length == nil { try fields.append("Transfer-Encoding: chunked") }
        } else if Self.methodsWithLength.contains(method) {
            try fields.append("Content-Length: 0")
        }
        if request.value(forHTTPHeaderField: "User-Agent") == nil { try fields.append("User-Agent: \(Self.userAgent)") }
        return fields
    }

    func response(of answer: CurlAnswer) throws -> TransportResponse {
        var fields: [String: String] = [:]
        var spellings: [String: String] = [:]
        for field in answer.head.fields {
            let name = spellings[field.name.lowercased(), default: field.name]
            spellings[field.name.lowercased()] = name
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        guard let status = answer.head.status,
            let response = HTTPURLResponse(
                url: url,
                statusCode: status,
                httpVersion: answer.head.version,
                headerFields: fields
            )
        else { throw TransportError(.malformedResponse, request: request) }
        return TransportResponse(response: response, data: answer.body)
    }

    /// Methods that mean a body, so that a server waits for one unless it is told that there is none (RFC 9110 §8.6).
    private static let methodsWithLength: Set<String> = ["POST", "PUT", "PATCH"]

    private static let userAgent = "\(ProcessInfo.processInfo.processName) libcurl/\(CurlLibrary.version)"

    /// At most a year: beyond that, and for infinity, sums would overflow.
    private static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        let year: TimeInterval = 365 * 86_400
        return UInt64(min(max(0, seconds.isNaN ? year : seconds), year) * 1_000_000_000)
    }
}
#endif
