import Foundation

/// A body and how far it has been read.
final class BodyReading: Sendable {
    /// The head that the body belongs to.
    let head: ResponseHead
    /// The decoder of the call.
    let decoder: any DecoderProtocol
    let expectedLength: Int?
    let board: ProgressBoard
    private let channel: any BodyChannel
    private let publicError: @Sendable (any Error) -> any Error
    private let hasBegun = Locked(false)
    private let onEnd: OnceAction

    /// - Parameters:
    ///   - channel: The body.
    ///   - head: The head that the body belongs to.
    ///   - decoder: The decoder of the call.
    ///   - expectedLength: Bytes, if it is known.
    ///   - publicError: Makes of a transport's error what callers get.
    ///   - onEnd: Called when nothing more is read.
    init(
        _ channel: any BodyChannel,
        of head: ResponseHead,
        decoder: any DecoderProtocol,
        expectedLength: Int?,
        publicError: @escaping @Sendable (any Error) -> any Error,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.channel = channel
        self.head = head
        self.decoder = decoder
        self.expectedLength = expectedLength
        self.publicError = publicError
        self.onEnd = OnceAction(onEnd)
        board = ProgressBoard()
        board.begin(total: expectedLength)
    }

    deinit {
        cancel()
    }

    func cancel() {
        channel.cancel()
        end()
    }

    func begin() -> BodyPass {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        return BodyPass(isFirst ? self : nil)
    }

    func next() async throws -> Data? {
        do {
            if let chunk = try await channel.next() { return chunk }
            end()
            return nil
        } catch {
            end()
            throw publicError(error)
        }
    }

    private func end() {
        board.end()
        onEnd.perform()
    }
}
