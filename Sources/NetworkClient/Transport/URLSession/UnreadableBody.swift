import NetworkUtilities

/// A body that cannot be sent a second time.
struct UnreadableBody: BodySource {
    var length: Int { 0 }

    func open() throws -> any BodyReader {
        throw TransportError(.bodyNotReplayable)
    }
}
