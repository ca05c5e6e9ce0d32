#if os(Linux)
import Foundation
import NetworkUtilities

extension CurlExchangeState {
    /// What an event leaves to be done, after the lock is released.
    struct Actions {
        var resumption: (Continuation, Result<CurlAnswer, any Error>)?
        var readerToClose: (any BodyReader)?
        var sequenceToClose: SequenceBodyReader?
        /// A body that has ended, and why, unless it is complete.
        var endedBody: (buffer: BodyBuffer, failure: (any Error)?)?
        /// Has libcurl look again at a request's body of which there was nothing.
        var goOn: (@Sendable () -> Void)?
        /// Whether the exchange is over with this event.
        var isEnd = false

        func perform() {
            readerToClose?.close()
            sequenceToClose?.close()
            goOn?()
            if let (continuation, result) = resumption { continuation.resume(with: result) }
            if let (buffer, failure) = endedBody { buffer.finish(failure) }
        }
    }

    /// Where the body of the answer goes.
    enum Delivery {
        /// It is handed over with the head, within the limits of the options.
        case whole(TransportOptions)
        /// It is read while it comes, behind the head.
        case streamed(BodyBuffer)
    }

    /// What has become of bytes of the body.
    enum Reception {
        case taken
        /// They are to be kept until there is room.
        case paused
        case stopped
    }

    /// Where the next bytes of the request's body come from.
    enum Upload {
        case reader(any BodyReader)
        case source(any BodySource)
        /// With what is to be done when there is more of it.
        case sequence(SequenceBodyReader, goOn: @Sendable () -> Void)
        /// The exchange is over, or has no body.
        case nothing
    }
}
#endif
