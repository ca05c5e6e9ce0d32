/// What the server does when it has a request's head and not yet its body.
package enum EarlyAnswer: Sendable {
    /// Nothing: the body is read and the handler asked.
    case none
    /// Plays a script, an interim response as a rule, then reads the body and asks the handler.
    case interim(Script)
    /// Plays the whole answer. Unless that closes, the body is read afterwards, for the sake of the next request.
    case final(Script)

    /// A `100 Continue`.
    package static let proceed = EarlyAnswer.interim(.respond(status: 100))

    /// A `100 Continue` for a request that waits for one, which the server never sends on its own account.
    package static func proceedIfExpected(_ head: RecordedRequest) -> EarlyAnswer {
        head.value(forHeader: "Expect")?.lowercased() == "100-continue" ? proceed : .none
    }
}
