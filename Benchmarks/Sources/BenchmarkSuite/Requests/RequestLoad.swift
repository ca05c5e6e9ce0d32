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
        // A pointer isn't `Sendable`, its address is.
        let address = UInt(bitPattern: load)
        return RequestLoad(
            run: { deadline in
                // On a new thread, since tasks share the threads of Swift's pool.
                try await withCheckedThrowingContinuation { continuation in
                    Thread.detachNewThread {
                        continuation.resume(with: Result { try runInC(address, until: deadline) })
                    }
                }
            },
            end: { curl_load_free(OpaquePointer(bitPattern: address)) }
        )
    }

    private static func runInC(_ address: UInt, until deadline: UInt64) throws -> [UInt32] {
        let room = 2_000_000
        var done: Int64 = -1
        let latencies = [UInt32](unsafeUninitializedCapacity: room) { buffer, count in
            done = curl_load_run(OpaquePointer(bitPattern: address), deadline, buffer.baseAddress, Int64(room))
            count = max(0, min(room, Int(done)))
        }
        guard done >= 0, done <= room else { throw UnexpectedResponse() }
        return latencies
    }
}
