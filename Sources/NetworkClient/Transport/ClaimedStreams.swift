import Foundation

/// The streams of users' own that have been given to a transport: each can be read once.
enum ClaimedStreams {
    private struct Claim {
        weak var stream: InputStream?
    }

    private static let claims = Locked<[ObjectIdentifier: Claim]>([:])

    /// Whether nobody has claimed the stream before, or begun to read it.
    static func claim(_ stream: InputStream) -> Bool {
        claims.withLock { claims in
            claims = claims.filter { $0.value.stream != nil }
            guard claims[ObjectIdentifier(stream)] == nil, stream.streamStatus == .notOpen else { return false }
            claims[ObjectIdentifier(stream)] = Claim(stream: stream)
            return true
        }
    }
}
