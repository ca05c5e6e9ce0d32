import NetworkUtilities

/// A body that must not be sent a second time, and why.
struct UnreadableBody: BodySource {
    private let reason: TransportError.Reason

    init(_ reason: TransportError.Reason) {
        self.reason = reason
    }

    var length: Int { 0 }

    func open() throws -> any BodyReader {
        throw TransportError(reason)
    }
}
