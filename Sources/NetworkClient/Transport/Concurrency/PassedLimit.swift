/// A time limit with its seconds, which travels to where it passes.
package enum PassedLimit: Hashable, Sendable {
    /// No byte was sent or received for as long as the request's `timeoutInterval`.
    case idle(Double)
    /// No connection was made in time.
    case connection(Double)
    /// The limit of an attempt with its body, set by the call's options or the client's configuration.
    case attempt(Double)
    /// The limit of an attempt without the time in which bytes are transferred, set by an interceptor.
    case wait(Double)
    /// The limit of a call, with its attempts and the waits between them.
    case deadline(Double)
    /// The limit of an exchange that no client makes: ``TransportOptions/exchangeTimeout`` by itself.
    case exchange(Double)

    /// The limit and its number as a clause that follows "failed:".
    var sentence: String {
        switch self {
        case .idle(let seconds): "no byte was sent or received within its idle timeout of \(seconds.inWords)"
        case .connection(let seconds): "no connection was made within its connect timeout of \(seconds.inWords)"
        case .attempt(let seconds): "it took longer than its attempt timeout of \(seconds.inWords)"
        case .wait(let seconds): "it waited longer than its wait timeout of \(seconds.inWords)"
        case .deadline(let seconds): "it took longer than its deadline of \(seconds.inWords)"
        case .exchange(let seconds): "the exchange took longer than \(seconds.inWords)"
        }
    }

    var seconds: Double {
        switch self {
        case .idle(let seconds), .connection(let seconds), .attempt(let seconds), .wait(let seconds),
            .deadline(let seconds), .exchange(let seconds):
            seconds
        }
    }
}
