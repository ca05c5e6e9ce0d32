/// One exchange of a ``HARRecorder``, which collects the bytes of both bodies as they are read.
final class RecordedExchange: Sendable {
    private struct State {
        /// The body of the request; nil unless all of its bytes were read.
        var requestBody: Data?
        var head: ResponseHead?
        /// The metrics at the end of the exchange: a client adds earlier redirects to those of the head.
        var metrics: TransportMetrics?
        var body = Data()
        var isCut = false
        /// The seconds until the head and until the end.
        var headTime = 0.0
        var endTime = 0.0
        var end: Result<Void, any Error>?
        var messages: [Message]?
    }

    /// A message of the WebSocket that the exchange has opened.
    private struct Message {
        let content: WebSocketMessage
        let isSent: Bool
        /// The seconds since the beginning of the exchange.
        let time: Double
    }

    private let request: URLRequest
    private let date = Date()
    private let begin = SystemTimeSource().now
    private let state: Locked<State>

    /// The header fields that the client declares sensitive, in addition to those of the redaction.
    private let sensitiveHeaders: [String]

    init(_ request: URLRequest, sensitiveHeaders: [String]) {
        self.request = request
        self.sensitiveHeaders = sensitiveHeaders
        state = Locked(State(requestBody: request.httpBody))
    }

    private var elapsed: Double { SystemTimeSource().now - begin }

    /// Returns the request with a body that is recorded while the transport reads it.
    ///
    /// The body isn't read a second time: that would count as progress. A stream that can be read only once is left
    /// unchanged.
    func recordingBody(of request: URLRequest) -> URLRequest {
        guard let source = (request.httpBodyStream as? BodyInputStream)?.source else { return request }
        var request = request
        let recording = RecordingSource(source: source) { body in self.state.withLock { $0.requestBody = body } }
        request.httpBodyStream = BodyInputStream(source: recording)
        return request
    }

    /// Returns the response with a body that is recorded while the caller reads it.
    func receive(_ response: TransportResponse) -> TransportResponse {
        let time = elapsed
        state.withLock { state in
            // Not the response: who makes that before the client knows its redirects gets one without them.
            (state.head, state.metrics, state.headTime) = (response.head, response.metrics, time)
            state.isCut = response.body.isCut
        }
        return response.observingBody { part in
            switch part {
            case .success(let chunk?): self.state.withLock { $0.body.append(chunk) }
            case .success(nil): self.end(nil)
            case .failure(let error): self.end(error)
            }
        }
    }

    /// Records the messages of a WebSocket from now on.
    func recordMessages(of socket: WebSocketConnection) {
        state.withLock { $0.messages = [] }
        socket.channel.observe { content, isSent in
            let message = Message(content: content, isSent: isSent, time: self.elapsed)
            self.state.withLock { $0.messages?.append(message) }
        }
    }

    /// Ends the exchange, with an error unless it is complete; has no effect after its end.
    func end(_ error: (any Error)?) {
        let time = elapsed
        state.withLock { state in
            guard state.end == nil else { return }
            state.endTime = time
            // A reader may leave after the last byte, without reading the end.
            let length = state.head?.fields["Content-Length"].flatMap { Int($0) }
            let isComplete = error is CancellationError && state.body.count == length
            state.end = error.map { isComplete ? .success(()) : .failure($0) } ?? .success(())
        }
    }
}

/// The body of a request, of which each complete pass is recorded.
private struct RecordingSource: BodySource {
    let source: any BodySource
    let onEnd: @Sendable (Data) -> Void

    var length: Int { source.length }

    func open() throws -> any BodyReader { Reader(of: self, try source.open()) }

    private final class Reader: BodyReader {
        private let source: RecordingSource
        private let reader: any BodyReader
        private var data = Data()

        init(of source: RecordingSource, _ reader: any BodyReader) {
            self.source = source
            self.reader = reader
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let count = try reader.read(into: buffer)
            data.append(contentsOf: buffer.prefix(max(0, count)))
            if count > 0, data.count == source.length { source.onEnd(data) }
            return count
        }

        func close() { reader.close() }
    }
}

// MARK: - The entry

extension RecordedExchange {
    /// Returns the entry of the archive as an object for `JSONSerialization`.
    func entry(_ redaction: LogRedaction) -> [String: Any] {
        let state = state.withLock { $0 }
        let redaction = redaction.maskingUnlessShown(sensitiveHeaders)
        let timings = timings(state)
        // The time of `connect` includes that of `ssl`.
        let time = timings.filter { $0.key != "ssl" && $0.value > 0 }.values.reduce(0, +)
        var entry: [String: Any] = [
            "startedDateTime": InternetDateTime.text(of: date) ?? "", "time": Self.rounded(time, to: .infinity),
            "timings": timings,
            "request": requestObject(state, redaction), "response": responseObject(state, redaction),
            "cache": [String: Any](),
        ]
        if let messages = state.messages {
            entry["_resourceType"] = "websocket"
            entry["_webSocketMessages"] = messages.map { messageObject($0, redaction) }
        }
        return entry
    }

    /// Returns a message in the form of Chrome: with the seconds since 1970, and binary data in Base64.
    private func messageObject(_ message: Message, _ redaction: LogRedaction) -> [String: Any] {
        let (opcode, data) =
            switch message.content {
            // Text that isn't valid JSON is masked like other text.
            case .text(let text): (1, redaction.text(of: Data(text.utf8), type: .json) ?? "")
            case .binary(let data): (2, data.base64EncodedString())
            }
        return [
            "type": message.isSent ? "send" : "receive", "opcode": opcode, "data": data,
            "time": Self.rounded(date.timeIntervalSince1970 + message.time),
        ]
    }

    /// The milliseconds of the steps; -1 for those that are unknown.
    private func timings(_ state: State) -> [String: Double] {
        func milliseconds(_ seconds: Double?) -> Double { seconds.map { Self.rounded($0 * 1_000) } ?? -1 }
        let metrics = state.metrics
        let connect = metrics?.connect.map { $0 + (metrics?.secureConnection ?? 0) }
        let setUp = (metrics?.nameLookup ?? 0) + (connect ?? 0)
        let last = max(state.endTime - state.headTime, metrics.map { $0.total - ($0.firstByte ?? $0.total) } ?? 0)
        return [
            "blocked": -1, "dns": milliseconds(metrics?.nameLookup), "connect": milliseconds(connect),
            "ssl": milliseconds(metrics?.secureConnection), "send": 0,
            "wait": milliseconds((metrics?.firstByte ?? metrics?.total ?? state.headTime) - setUp),
            "receive": milliseconds(last),
        ]
    }

    /// Returns a number that JSON has, of a transport that may have measured anything.
    private static func rounded(_ number: Double, to most: Double = 1e12) -> Double {
        number.isNaN ? 0 : (min(max(number, 0), most) * 1_000).rounded() / 1_000
    }

    private func requestObject(_ state: State, _ redaction: LogRedaction) -> [String: Any] {
        let url = request.url.map(redaction.text) ?? ""
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        let items = URL(string: url)?.queryItems ?? []
        var object = object(state, fields.map { ($0.key, redaction.shown($0.value, of: $0.key)) })
        object["method"] = request.httpMethod ?? "GET"
        object["url"] = url
        object["queryString"] = items.map { ["name": $0.name, "value": $0.value ?? ""] }
        object["bodySize"] = request.bodyLength ?? -1
        object["postData"] = postData(state, redaction)
        return object
    }

    /// The members that a request and a response have in common.
    private func object(_ state: State, _ fields: [(name: String, value: String)]) -> [String: Any] {
        [
            "httpVersion": state.metrics?.httpVersion ?? "", "cookies": [Any](), "headersSize": -1,
            "headers": fields.map { ["name": $0.name, "value": $0.value] },
        ]
    }

    private func postData(_ state: State, _ redaction: LogRedaction) -> [String: Any]? {
        let coding = request.value(forHTTPHeaderField: "Content-Encoding")
        guard let body = state.requestBody.flatMap({ plain($0, coding) }), !body.isEmpty else { return nil }
        let type = MediaType(request.value(forHTTPHeaderField: "Content-Type") ?? "")
        var object: [String: Any] = ["mimeType": type.value, "params": [Any](), "text": ""]
        guard type.essence == "multipart/form-data", let parts = ArchivedBody.parts(of: body, type: type) else {
            return object.merging(Self.text(of: body, type, redaction)) { $1 }
        }
        object["params"] = parts.map { part in
            let name = part.name ?? ""
            // Secrets can't be found in a file; a replay compares its name.
            guard let file = part.fileName else {
                // A part whose name can't be read may be a secret.
                let content = part.name == nil ? nil : part.content
                let text = content.flatMap { redaction.text(of: $0, type: nil) } ?? LogRedaction.maskText
                return ["name": name, "value": redaction.shown(text, of: name)]
            }
            return ["name": name, "fileName": redaction.shown(file, of: "filename")]
        }
        return object
    }

    private func responseObject(_ state: State, _ redaction: LogRedaction) -> [String: Any] {
        let fields = state.head?.fields ?? ResponseFields([])
        let body = plain(state.body, fields["Content-Encoding"])
        var object = object(state, fields.map { ($0.name, redaction.shown($0.value, of: $0.name)) })
        if let trailers = state.head?.trailers, !trailers.isEmpty {
            object["_trailers"] = trailers.map { ["name": $0.name, "value": redaction.shown($0.value, of: $0.name)] }
        }
        object["status"] = state.head?.status ?? 0
        object["statusText"] = ""
        object["redirectURL"] = fields["Location"].map { redaction.shown($0, of: "Location") } ?? ""
        object["bodySize"] = state.metrics?.bodyBytesReceived ?? -1
        var content: [String: Any] = ["size": (body ?? state.body).count, "mimeType": fields["Content-Type"] ?? ""]
        if let body {
            content.merge(Self.text(of: body, fields["Content-Type"].map { MediaType($0) }, redaction)) { $1 }
        }
        // Not an error: a call gets the beginning of such a body with its refused status, and so does a replay.
        if state.isCut { content["comment"] = "The body was longer than the limit of the call." }
        object["content"] = content
        switch state.end {
        case .success: break
        case .failure(let error):
            object["_error"] = redaction.text(of: error)
            object["_reason"] = (error as? TransportError)?.reason.description
        case nil: object["_error"] = "the exchange has not ended"
        }
        return object
    }

    /// Returns a body as text, or in Base64 if it isn't text.
    private static func text(of body: Data, _ type: MediaType?, _ redaction: LogRedaction) -> [String: Any] {
        redaction.text(of: body, type: type).map { ["text": $0] }
            ?? ["text": body.base64EncodedString(), "encoding": "base64"]
    }

    /// Returns a body without a content coding; nil if it can't be decoded and is not text, whatever the coding is.
    private func plain(_ body: Data, _ coding: String?) -> Data? {
        guard let coding, !body.isEmpty else { return body }
        var coded = request
        coded.setValue(coding, forHTTPHeaderField: "Content-Encoding")
        return coded.decoded(body, most: .max)?.bytes ?? (String(data: body, encoding: .utf8) == nil ? nil : body)
    }
}
