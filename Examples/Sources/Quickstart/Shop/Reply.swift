/// What the shop answers: a value, and the request as it arrived there.
struct Reply<Value: Codable & Sendable>: Codable, Sendable {
    let value: Value
    let seen: SeenRequest
}
