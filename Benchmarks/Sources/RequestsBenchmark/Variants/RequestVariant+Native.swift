import BenchmarkHarness
import CRequestLoads
import Foundation

extension RequestVariant {
    /// The upper bounds: one thread in C, without decoding.
    static let sockets = native("epoll in C", REQUEST_LOAD_SOCKETS)
    static let curlPoll = native("libcurl in C, poll", REQUEST_LOAD_CURL_POLL)
    static let curlEvents = native("libcurl in C, epoll", REQUEST_LOAD_CURL_EVENTS)

    private static func native(_ name: String, _ kind: request_load_kind) -> RequestVariant {
        RequestVariant(
            name,
            prepare: { target in
                guard let load = request_load_make(kind, target.port, Int32(target.concurrency)) else {
                    throw UsageError("\(name) can't be prepared; check that libcurl is installed")
                }
                // A pointer isn't `Sendable`, its address is.
                let address = UInt(bitPattern: load)
                return RequestLoad(
                    run: { deadline in try await onThread { try run(address, until: deadline) } },
                    end: { OpaquePointer(bitPattern: address).map(request_load_free) }
                )
            }
        )
    }

    private static func run(_ address: UInt, until deadline: UInt64) throws -> [UInt32] {
        let room = 2_000_000
        var done: Int64 = -1
        let latencies = [UInt32](unsafeUninitializedCapacity: room) { buffer, count in
            if let load = OpaquePointer(bitPattern: address) {
                done = request_load_run(load, deadline, buffer.baseAddress, Int64(room))
            }
            count = max(0, min(room, Int(done)))
        }
        guard done >= 0, done <= room else { throw UnexpectedResponse() }
        return latencies
    }

    /// Runs a blocking operation on a new thread, since tasks share the threads of Swift's pool.
    private static func onThread(_ operation: @escaping @Sendable () throws -> [UInt32]) async throws -> [UInt32] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try operation() }) }
        }
    }
}
