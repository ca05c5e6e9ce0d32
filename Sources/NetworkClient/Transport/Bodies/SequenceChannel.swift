import Foundation

/// A body that comes as a sequence of the user's own, from a transport of theirs.
final class SequenceChannel: BodyChannel {
    private let buffer = BodyBuffer(.pausing)
    private let pump: Task<Void, Never>

    init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Data {
        let buffer = buffer
        let room = RoomSignal()
        // Ends with the sequence, and is cancelled with the body.
        let pump = Task {
            do {
                for try await chunk in chunks {
                    guard try await Self.add(chunk, to: buffer, room) else { return }
                }
                buffer.finish()
            } catch {
                buffer.finish(error)
            }
        }
        self.pump = pump
        buffer.connect {
            room.signal()
        } onCancel: {
            pump.cancel()
            room.signal()
        }
    }

    func next() async throws -> Data? { try await buffer.next() }

    func cancel() { buffer.cancel() }

    deinit {
        buffer.cancel()
    }

    /// Waits until there is room; false if nobody wants it any more.
    private static func add(_ chunk: Data, to buffer: BodyBuffer, _ room: RoomSignal) async throws -> Bool {
        while true {
            switch chunk.withUnsafeBytes({ buffer.append($0) }) {
            case .taken, .filled: return true
            case .unwanted: return false
            case .refused: await room.wait()
            }
        }
    }
}
