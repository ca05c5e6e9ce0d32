import Foundation

/// One loop over a body: when the loop is left, the transfer stops.
final class BodyPass: Sendable {
    /// Nil if somebody else has begun.
    private let reading: BodyReading?
    private let count = Locked(0)

    init(_ reading: BodyReading?) {
        self.reading = reading
    }

    deinit {
        reading?.cancel()
    }

    func next() async throws -> Data? {
        guard let reading else {
            let detail = "the body of an answer can be read once"
            throw NetworkClient.Error.requestError(type: TransportError(.bodyNotReplayable, detail: detail))
        }
        guard let chunk = try await reading.next() else { return nil }
        let completed = count.withLock { count in
            // An Int has 32 bits on some watches.
            let (sum, isTooLarge) = count.addingReportingOverflow(chunk.count)
            count = isTooLarge ? .max : sum
            return count
        }
        reading.board.advance(to: completed)
        return chunk
    }
}
