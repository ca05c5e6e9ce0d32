import Dispatch

/// A WebSocket that a call has opened.
struct OpenedSocket: Sendable {
    let connection: WebSocketConnection
    /// The decoder of the call.
    let decoder: any DecoderProtocol
    /// The clock of the client.
    let time: any TimeSource
    private let call: PerformedCall

    /// Creates the socket; `onEnd` is called once, when it has ended.
    init(
        _ connection: WebSocketConnection,
        of call: PerformedCall,
        time: any TimeSource,
        onEnd: @escaping @Sendable () -> Void
    ) {
        (self.connection, self.call, self.time) = (connection, call, time)
        decoder = call.chain.settings.decoder
        let (record, request, begin) = (call.record, call.request, time.now)
        connection.channel.whenEnded { ending, traffic in
            onEnd()
            guard record.log != nil else { return }
            let seconds = (time.now - begin).inWords
            let (sent, received) = (traffic.sent, traffic.received)
            let text = """
                the WebSocket ended \(ending.words) after \(seconds): \(sent.messages) messages of \(sent.bytes) bytes \
                sent, \(received.messages) of \(received.bytes) bytes received
                """
            // A logger may wait, and this may be the thread that moves the bytes of other calls.
            DispatchQueue.global().async {
                record.report(.noted(text, type: ending.isExpected ? .info : .warning), of: request)
            }
        }
    }

    /// Returns an error of the socket as the caller gets it, with the URL and the journey of the call.
    func failure(_ error: any Error) -> any Error {
        let url = call.response.head.response.url
        let error = NetworkClient.Error.wrapping((error as? TransportError)?.placed(at: url) ?? error, url)
        return (error as? NetworkClient.Error)?.having(call.record.journey) ?? error
    }

    /// Returns the error of a call for a server that takes no part in the handshake.
    static func refusal(_ error: any Error) -> any Error {
        guard let known = error as? NetworkClient.Error, case .apiError(let response, _) = known,
            200...299 ~= response.statusCode
        else { return error }
        let detail = "the server responded with status \(response.statusCode): it does not speak WebSocket here"
        let failure = TransportError(.notAWebSocket, detail: detail, underlying: error).placed(at: response.url)
        let refusal = NetworkClient.Error.requestError(type: failure)
        return known.journey.map { refusal.having($0) } ?? refusal
    }
}

extension WebSocketState.Ending {
    /// The end in the log, without texts of the server.
    fileprivate var words: String {
        switch self {
        case .closed(let closed): "with the code \(closed.code)"
        case .failed(let error as TransportError): "without a Close (\(error.reason))"
        case .failed(is CancellationError): "without a Close (cancelled)"
        case .failed: "without a Close"
        }
    }

    fileprivate var isExpected: Bool {
        switch self {
        case .closed(let closed): [.normal, .goingAway, .noStatus].contains(closed.code)
        case .failed(let error): error is CancellationError
        }
    }
}

extension TransportError.Reason {
    /// The response of a server that does not speak WebSocket.
    public static let notAWebSocket = Self(name: "notAWebSocket", sentence: "the server does not speak WebSocket here")
}

extension URLRequest {
    /// The request with a scheme of HTTP in place of one of WebSocket (RFC 6455 §3).
    ///
    /// - Throws: ``TransportError/Reason/invalidRequest`` for a URL with a fragment.
    func openingSocket() throws(NetworkClient.Error) -> URLRequest {
        guard let url else { return self }
        guard !url.absoluteString.contains("#") else {
            let detail = "the URL of a WebSocket has no fragment"
            throw .requestError(type: TransportError(.invalidRequest, request: self, detail: detail))
        }
        var request = self
        request.url = url.withHTTPScheme
        return request
    }
}
