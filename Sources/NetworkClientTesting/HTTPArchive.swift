import JSONDecoding

/// What a replay needs of an HTTP archive (HAR 1.2): requests and responses, as browsers and proxies export them.
///
/// Exporters leave out members that the format requires, so only those are required without which there is no request.
struct HTTPArchive: Decodable {
    struct Log: Decodable {
        let entries: [Entry]
    }

    struct Entry: Decodable {
        let request: Request
        let response: Response
    }

    struct Request: Decodable {
        let method: HTTPMethod
        let url: String
        let headers: [Field]?
        let postData: PostData?
        let bodySize: Double?
    }

    struct PostData: Decodable {
        let mimeType: String?
        let text: String?
        let params: [Parameter]?
        /// The proposal for HAR 1.3.
        let encoding: String?
    }

    struct Parameter: Decodable {
        let name: String
        let value: String?
        let fileName: String?
    }

    struct Response: Decodable {
        enum CodingKeys: String, CodingKey {
            case status, headers, content, redirectURL
            case trailers = "_trailers"
            case failure = "_error"
            case reason = "_reason"
        }

        /// Zero or nil if there was no response.
        let status: Int?
        let headers: [Field]?
        /// What ``HARRecorder`` adds.
        let trailers: [Field]?
        let content: Content?
        let redirectURL: String?
        /// The text of Chrome, Safari and mitmproxy for a failed exchange.
        let failure: String?
        /// The name of a `TransportError.Reason`, which ``HARRecorder`` adds.
        let reason: String?

        /// Returns the reason of a replayed failure, for which the archive lacks something.
        func failureReason(_ lack: String) -> TransportError.Reason {
            let sentence = "the archive \(lack)\(failure.map { " (\($0))" } ?? "")"
            return TransportError.Reason(name: reason ?? "\(TransportError.Reason.connectionLost)", sentence: sentence)
        }
    }

    struct Content: Decodable {
        let size: Double?
        let mimeType: String?
        let text: String?
        let encoding: String?
    }

    struct Field: Decodable {
        let name: String
        let value: String?
    }

    let log: Log

    /// Reads an archive; the error names the place of the first fault.
    init(_ data: Data, name: String?) throws(StubTransport.ArchiveError) {
        do {
            self = try DefaultDecoder().decode(data: data.withoutUTF8ByteOrderMark)
        } catch {
            throw StubTransport.ArchiveError(name: name, fault: DecodingErrorText.sentence(for: error))
        }
    }
}

extension StubTransport {
    /// The error for a file that is not an HTTP archive (HAR).
    public struct ArchiveError: Error, Hashable, Sendable, DescribedError {
        private let name: String?
        private let fault: String

        init(name: String?, fault: String) {
            self.name = name
            let clause = fault.prefix(1).lowercased() + fault.dropFirst()
            self.fault = clause.hasPrefix("the body") ? "it" + clause.dropFirst("the body".count) : clause
        }

        /// One sentence with the name of the file and the place of the fault in it.
        ///
        /// For example: `'a.har' is not an HTTP archive: the value at 'log.entries[3].request.url' is missing.`
        public var description: String {
            "\(name.map { "'\($0)'" } ?? "The data") is not an HTTP archive: \(fault)"
        }
    }
}

extension HTTPArchive.Entry {
    /// Whether the entry is an HTTP exchange: not a WebSocket, and not a URL such as `data:` or `chrome-extension:`.
    var isExchange: Bool {
        let url = request.url.lowercased()
        return (url.hasPrefix("http://") || url.hasPrefix("https://")) && !(100..<200).contains(response.status ?? 0)
    }

    /// Returns the response, without what does not fit its decoded body; nil if there was no response.
    func replayed() throws(DecodingReason) -> StubTransport.Response? {
        guard let status = response.status, status > 0 else { return nil }
        let body = try response.content?.body()
        let bytes = body ?? Data()
        var replayed = StubTransport.Response.data(bytes, status: status)
        // A client that follows a redirect stops to read its body.
        if response.failure != nil, !(300..<400).contains(status) {
            let reason = response.failureReason("has only the beginning of its response")
            replayed = .chunks([bytes], status: status).breakingOff(after: bytes.count, with: reason)
        }
        if request.method != .head, replayed.mayHaveBody, !(300..<400).contains(status) {
            guard body != nil || (response.content?.size ?? 0) <= 0 else {
                return .failure(.notStubbed, detail: "the archive does not contain the body of its response")
            }
        }
        let trailers = (response.trailers ?? []).map { HeaderField.custom(name: $0.name, value: $0.value ?? "") }
        return trailers.reduce(fields.reduce(replayed) { $0.adding(header: $1) }) { $0.adding(trailer: $1) }
    }

    /// The header fields; names that are not tokens, such as `:status`, have no value.
    private var fields: [HeaderField] {
        // Chrome and Safari join several fields of one name with line breaks.
        var fields = (response.headers ?? []).flatMap { field in
            (field.value ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .map { HeaderField.custom(name: field.name, value: String($0)) }
        }
        let added = [("Content-Type", response.content?.mimeType), ("Location", response.redirectURL)]
        for (name, value) in added where !fields.contains(where: { HeaderField.isSameName($0.name, name) }) {
            guard let value, value.contains("/") else { continue }
            fields.append(.custom(name: name, value: value))
        }
        if request.method != .head {
            fields.removeAll { field in Self.fieldsOfTheSentBody.contains { HeaderField.isSameName(field.name, $0) } }
        }
        return fields.map { response.content?.fitted($0) ?? $0 }
    }

    private static let fieldsOfTheSentBody = ["Content-Encoding", "Content-Length", "Transfer-Encoding"]
}

extension HTTPArchive.Content {
    private var isBase64: Bool { encoding?.lowercased() == "base64" }

    /// The decoded bytes; nil if the archive does not contain them.
    func body() throws(DecodingReason) -> Data? {
        guard let text else { return nil }
        guard isBase64 else { return Data(text.utf8) }
        guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
            throw DecodingReason("is not base64")
        }
        return data
    }

    /// Returns a field that fits the bytes: text is in UTF-8 in an archive, whatever its charset was.
    func fitted(_ field: HeaderField) -> HeaderField {
        guard !isBase64, HeaderField.isSameName(field.name, "Content-Type"), let value = field.value else {
            return field
        }
        let type = MediaType(value)
        guard let charset = type.charset, charset != "utf-8" else { return field }
        return .custom(name: field.name, value: type.setting(parameter: "charset", to: "utf-8").value)
    }
}
