import Foundation
import NetworkClient

/// Measures event streams over sockets: how late events reach their readers, what a stream costs that waits, and how
/// soon a stream that is left has closed its connection.
struct StreamsOverSockets: Sendable {
    private static let type = ["Content-Type": "text/event-stream"]
    private static let head = ResponsePart(bytes: ResponsePart.head(type, length: nil))

    private static func event(_ data: String, after milliseconds: Int = 0, mark: UInt64 = 0) -> ResponsePart {
        let bytes = ResponsePart.chunk(Array("data: \(data)\n\n".utf8))
        return ResponsePart(bytes: bytes, delay: UInt32(milliseconds) * 1_000, markBefore: mark)
    }

    private let client = NetworkClient(logging: .off)

    /// Measures the microseconds from right before the server sends an event until its reader has it.
    func delays(streams: Int, events: Int) async throws -> [Double] {
        let sent = Locked([UInt64: UInt64]())
        let last = Locked(UInt64(0))
        let server = try Server { _ in
            let first = last.withLock { last in
                defer { last += UInt64(events) }
                return last + 1
            }
            let marks = first..<first + UInt64(events)
            return [Self.head] + marks.map { Self.event("\($0)", after: 20, mark: $0) }
        } reached: { mark in
            let now = Clocks.elapsed
            sent.withLock { $0[mark] = now }
        }
        defer { server.stop() }
        let request = URLRequest(url: try server.url("/"))
        let arrivals = try await withThrowingTaskGroup(of: [(mark: UInt64, time: UInt64)].self) { group in
            for _ in 0..<streams {
                group.addTask {
                    var arrivals: [(mark: UInt64, time: UInt64)] = []
                    for try await event in client.events(request) {
                        arrivals.append((UInt64(event.data) ?? 0, Clocks.elapsed))
                        if arrivals.count == events { break }
                    }
                    return arrivals
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let times = sent.withLock { $0 }
        return arrivals.compactMap { arrival in
            times[arrival.mark].map { Double(arrival.time) - Double($0) }.map { $0 / 1_000 }
        }
    }

    /// Measures the microseconds of processor time, of the client and of the server, in each second of a stream
    /// without events.
    func idleCost(host: String, seconds: Int) async throws -> Double {
        let server = try Server { _ in [Self.head, Self.event("first"), Self.event("last", after: 600_000)] }
        defer { server.stop() }
        let address = try server.url("/").absoluteString.replacingOccurrences(of: "127.0.0.1", with: host)
        let stream = client.events(URLRequest(url: try URL(http: address)))
        let (opened, opens) = AsyncStream.makeStream(of: Void.self)
        let reader = Task {
            for try await _ in stream { opens.yield() }
        }
        for await _ in opened { break }
        await Quiescence.wait()
        let start = Clocks.processor
        sleep(UInt32(seconds))
        let used = Double(Clocks.processor - start) / 1_000 / Double(seconds)
        stream.cancel()
        _ = await reader.result
        return used
    }

    /// Measures the milliseconds from leaving the loop until the server has seen the connection end.
    func closings(_ count: Int) async throws -> [Double] {
        let server = try Server { _ in [Self.head, Self.event("first"), Self.event("last", after: 600_000)] }
        defer { server.stop() }
        let request = URLRequest(url: try server.url("/"))
        var milliseconds: [Double] = []
        for _ in 0..<count {
            for try await _ in client.events(request) { break }
            let start = Clocks.elapsed
            while server.connectionCount > 0, Clocks.seconds(since: start) < 10 { usleep(50) }
            milliseconds.append(Clocks.seconds(since: start) * 1_000)
        }
        return milliseconds
    }

    /// Returns whether a server waits that has 256 MB of events for a reader that takes one and then waits, and the
    /// bytes by which the memory of the process grows in that second.
    func slowReader() async throws -> (waits: Bool, bytes: Int) {
        let megabyte = Self.event(String(repeating: "x", count: 1_000))
        let hasSentAll = Locked(false)
        let part = ResponsePart(bytes: Array(repeatElement(megabyte.bytes, count: 1_000).joined()))
        let server = try Server { _ in
            [Self.head] + Array(repeating: part, count: 256) + [Self.event("last", mark: 1)]
        } reached: { _ in
            hasSentAll.withLock { $0 = true }
        }
        defer { server.stop() }
        var events = client.events(URLRequest(url: try server.url("/"))).makeAsyncIterator()
        _ = try await events.next()
        let before = ProcessFacts.now().residentBytes ?? 0
        sleep(1)
        let grown = (ProcessFacts.now().residentBytes ?? 0) - before
        let waits = !hasSentAll.withLock { $0 }
        var count = 1
        while try await events.next() != nil {
            count += 1
            if count == 256_001 { break }
        }
        return (waits && count == 256_001, grown)
    }
}
