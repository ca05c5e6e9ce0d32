#if os(Linux)

/// The actions and results that follow from an event of an exchange.
extension CurlExchangeState {
    /// The actions of an event, which are performed after the lock is released.
    struct Actions {
        var resumption: (Continuation, Result<CurlResponse, any Error>)?
        var readerToClose: (any BodyReader)?
        var sequenceToClose: SequenceBodyReader?
        /// A streamed body that has ended, with its error if it is incomplete.
        var endedBody: (buffer: BodyBuffer, failure: (any Error)?)?
        /// A WebSocket whose connection has ended, with what its reader gets unless the server has closed it before.
        var endedSocket: (channel: WebSocketChannel, failure: any Error)?
        /// The closure that makes libcurl ask again for bytes of the request's body, after there were none.
        var goOn: (@Sendable () -> Void)?
        /// Whether this event ends the exchange.
        var isEnd = false

        func perform() {
            readerToClose?.close()
            sequenceToClose?.close()
            goOn?()
            if let (continuation, result) = resumption { continuation.resume(with: result) }
            if let (buffer, failure) = endedBody { buffer.finish(failure) }
        }
    }

    /// The result of receiving a line of a head.
    enum HeadReception {
        case taken
        /// The complete head belongs to a redirect that the caller follows; its body begins.
        case beganRedirectBody
        /// The exchange has to stop.
        case refused
    }

    /// The result of receiving bytes of the body.
    enum Reception {
        case taken
        /// The body has begun as a stream, whose buffer gets the bytes.
        case streamed(BodyBuffer)
        /// The bytes are frames of a WebSocket.
        case framed(WebSocketChannel)
        /// The body is too long to wait for its end: it has to begin as a stream before it takes the bytes.
        case long
        case stopped
    }

    /// The source of the next bytes of the request's body.
    enum Upload {
        case reader(any BodyReader)
        case source(any BodySource)
        /// A sequence, and a closure to call when it has more bytes.
        case sequence(SequenceBodyReader, goOn: @Sendable () -> Void)
        /// An open WebSocket.
        case socket(WebSocketChannel, isLost: Bool)
        /// There is nothing to send yet.
        case wait
        /// There is nothing more to send.
        case end
        /// The exchange has ended, or has no body.
        case nothing
    }
}
#endif
