import Foundation

/// A body that a transport brings, as its reader has it: when nobody has it any more, the transport stops.
final class OwnedBody: BodyChannel {
    private let buffer: BodyBuffer

    init(_ buffer: BodyBuffer) {
        self.buffer = buffer
    }

    deinit {
        buffer.cancel()
    }

    func next() async throws -> Data? { try await buffer.next() }

    func cancel() { buffer.cancel() }
}
