import NetworkTestSupport
import NetworkUtilities

@testable import NetworkClient

/// What a server does wrong, or does as few others do, and what must come of it.
struct Fault: Sendable {
    let name: String
    var method: HTTPMethod = .get
    let script: Script
    let outcome: Outcome
    /// Header fields that the answer must have.
    var headers: [String: String] = [:]
    /// Whether another request over the same connection would meet what is left of this answer.
    var spoilsConnection = false
    var bodyLimit: Int?
    var timeout = 10.0
    var exceptions: [Limitation: Instead] = [:]

    /// What comes where a transport has a limitation.
    enum Instead: Sendable {
        /// The end of the process, so the fault is left out.
        case theEnd
        case outcome(Outcome)
        /// The usual outcome or this one, where the version of a library doesn't tell.
        case either(Outcome)
        /// The same over a connection that is used again.
        case sameConnection
        /// The answer, with other header fields.
        case headers([String: String])
    }

    /// A server's answer that is no more than bytes.
    init(
        _ name: String,
        method: HTTPMethod = .get,
        _ bytes: [any WireBytes],
        then steps: [Step] = [],
        _ outcome: Outcome,
        headers: [String: String] = [:],
        spoilsConnection: Bool = false,
        bodyLimit: Int? = nil,
        timeout: Double = 10,
        except exceptions: [Limitation: Instead] = [:]
    ) {
        self.name = name
        self.method = method
        script = Script(bytes.map { Step.bytes($0.wireBytes) } + steps)
        self.outcome = outcome
        self.headers = headers
        self.spoilsConnection = spoilsConnection
        self.bodyLimit = bodyLimit
        self.timeout = timeout
        self.exceptions = exceptions
    }

    /// Whether it takes long, for its length or for its silence.
    var isHeavy: Bool {
        script.steps.contains { step in
            switch step {
            case .bytes(let bytes): bytes.count > 4_096
            case .wait, .repeated: true
            default: false
            }
        }
    }

    /// The whole matrix.
    static let all = ofConnections + ofLengths + ofChunks + ofCodings + ofHeads + ofStatuses
}
