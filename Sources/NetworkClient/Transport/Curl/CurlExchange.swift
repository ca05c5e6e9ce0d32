#if canImport(CCurl)
import CCurl
import Foundation
import NetworkUtilities

/// One transfer on its way: what libcurl's callbacks are given.
final class CurlExchange: Sendable {
    let handle: CurlHandle
    let idleTimeout: UInt64
    let end: UInt64
    private let state: Locked<CurlExchangeState>

    init(handle: CurlHandle, source: (any BodySource)?, bodyLimit: Int, idleTimeout: UInt64, end: UInt64) {
        self.handle = handle
        self.idleTimeout = idleTimeout
        self.end = end
        state = Locked(CurlExchangeState(bodyLimit: bodyLimit, source: source))
        state.withLock { $0.lastActivity = Self.now }
    }

    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// When it is late if nothing moves from now on.
    var deadline: UInt64 {
        let last = state.withLock { $0.lastActivity }
        let (idleEnd, overflow) = last.addingReportingOverflow(idleTimeout)
        return min(overflow ? .max : idleEnd, end)
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether the exchange is to be started; not if it was cancelled before it began.
    func begin(_ continuation: CurlExchangeState.Continuation) -> Bool {
        let resumption = state.withLock { $0.began(continuation) }
        resumption?.perform()
        return resumption == nil
    }

    /// Ends the exchange with an error, now; the engine has to be told to stop the transfer.
    func fail(_ error: any Error) {
        state.withLock { $0.failed(error) }?.perform()
    }

    /// The transfer is over, with one of libcurl's results.
    func finish(_ result: CInt) {
        let resumption = state.withLock { state in
            guard result != 0 else { return state.completed() }
            return state.failed(state.failure ?? CurlFailure(code: result, handle: handle))
        }
        resumption?.perform()
    }

    /// Has libcurl call this exchange; it must be alive as long as the transfer is.
    func connect(sendsBody: Bool) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_easy_set_owner(handle.easy, context)
        _ = ccurl_easy_set_header_callback(handle.easy, receiveHeader, context)
        _ = ccurl_easy_set_write_callback(handle.easy, receiveBody, context)
        if sendsBody { _ = ccurl_easy_set_read_callback(handle.easy, sendBody, seekBody, context) }
    }

    static func at(_ context: UnsafeMutableRawPointer) -> CurlExchange {
        Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    }

    fileprivate func event<Result>(_ body: (inout CurlExchangeState) -> Result) -> Result {
        let now = Self.now
        return state.withLock { state in
            state.lastActivity = now
            return body(&state)
        }
    }
}

private let receiveHeader: ccurl_bytes_callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlExchange.at(context).event { $0.receivedHeader(line) } ? line.count : 0
}

private let receiveBody: ccurl_bytes_callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlExchange.at(context).event { $0.received(chunk) } ? chunk.count : 0
}

private let sendBody: ccurl_bytes_callback = { bytes, size, count, context in
    guard let bytes, let context else { return Int(CCURL_ABORT_READING) }
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return CurlExchange.at(context).event { $0.send(into: buffer) } ?? Int(CCURL_ABORT_READING)
}

private let seekBody: ccurl_seek_callback = { context, offset, origin in
    guard let context, offset == 0, origin == SEEK_SET else { return CInt(CCURL_SEEK_FAILED) }
    return CInt(CurlExchange.at(context).event { $0.rewind() } ? CCURL_SEEK_DONE : CCURL_SEEK_FAILED)
}
#endif
