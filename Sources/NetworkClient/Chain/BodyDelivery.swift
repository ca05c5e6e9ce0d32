/// When a call gets the body of the answer.
enum BodyDelivery: Sendable {
    /// With the head, when it is complete.
    case whole
    /// After the head, while it comes.
    case streamed
    /// Something takes it inside the interceptors.
    case taken(any BodyTaker)

    var isStreamed: Bool {
        if case .whole = self { return false }
        return true
    }

    var taker: (any BodyTaker)? {
        if case .taken(let taker) = self { return taker }
        return nil
    }
}
