import CMeasuring
import Foundation

/// Keeps a number of requests in flight.
struct RequestLoad: Sendable {
    /// The process whose cost is measured; nil for this one.
    var process: Int32?

    /// Makes requests until a deadline on the monotonic clock, and returns their latencies in nanoseconds.
    let run: @Sendable (_ deadline: UInt64) async throws -> [UInt32]

    /// Closes all connections.
    let end: @Sendable () async throws -> Void

    /// The nanoseconds of processor time of the measured process.
    var processor: UInt64 { process.map(Clocks.processor(of:)) ?? Clocks.processor }
}

extension RequestLoad {
    /// Makes requests with libcurl and one thread in C, at a port of 127.0.0.1; nothing is decoded.
    static func curlInC(_ port: UInt16, path: String, bodyBytes: Int, connections: Int) throws -> RequestLoad {
        guard let load = curl_load_make(port, path, bodyBytes, Int32(connections)) else {
            throw UsageError("libcurl isn't installed")
        }
        return inC(load, curl_load_run, end: curl_load_free)
    }

    /// Exchanges messages with a server's echo, over a WebSocket and a plain socket in C.
    static func echoInC(_ port: UInt16, bytes: Int, inFlight: Int) throws -> RequestLoad {
        guard let load = echo_load_make(port, bytes, Int32(inFlight)) else {
            throw UsageError("the WebSocket can't be opened")
        }
        return inC(load, echo_load_run, end: echo_load_free)
    }

    private typealias RunInC = @Sendable (OpaquePointer?, UInt64, UnsafeMutablePointer<UInt32>?, Int64) -> Int64

    private static func inC(
        _ load: OpaquePointer,
        _ run: @escaping RunInC,
        end: @escaping @Sendable (OpaquePointer?) -> Void
    ) -> RequestLoad {
        // A pointer isn't `Sendable`, its address is.
        let address = UInt(bitPattern: load)
        return RequestLoad(
            run: { deadline in
                // On a new thread, since tasks share the threads of Swift's pool.
                try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(with: Result { try latencies(address, run, until: deadline) })
                    }
                }
            },
            end: { end(OpaquePointer(bitPattern: address)) }
        )
    }

    private static func latencies(_ address: UInt, _ run: RunInC, until deadline: UInt64) throws -> [UInt32] {
        let room = 2_000_000
        var done: Int64 = -1
        let latencies = [UInt32](unsafeUninitializedCapacity: room) { buffer, count in
            done = run(OpaquePointer(bitPattern: address), deadline, buffer.baseAddress, Int64(room))
            count = max(0, min(room, Int(done)))
        }
        guard done >= 0, done <= room else { throw UnexpectedResponse() }
        return latencies
    }
}
