import NetworkTestSupport
import NetworkUtilities

@testable import NetworkClient

/// A wrong or unusual behaviour of a server, and the outcome that it must have.
struct Fault: Sendable {
    let name: String
    var method: HTTPMethod = .get
    let script: Script
    let outcome: Outcome
    /// Header fields that the response must have.
    var headers: [String: String] = [:]
    /// Whether another request over the same connection would receive the remaining bytes of this response.
    var spoilsConnection = false
    var bodyLimit: Int?
    var timeout = 10.0
    var exceptions: [Limitation: Instead] = [:]

    /// The outcome where a transport has a limitation.
    enum Instead: Sendable {
        /// The end of the process, so the fault is left out.
        case theEnd
        case outcome(Outcome)
        /// Either the usual outcome or this one, where the version of a library does not determine which.
        case either(Outcome)
        /// The outcome over a reused connection.
        case sameConnection
        /// The response, with other header fields.
        case headers([String: String])
    }

    /// A response of raw bytes.
    init(
        _ name: String,
        method: HTTPMethod = .get,
        _ bytes: [any WireBytes],
        then end: Script = [],
        _ outcome: Outcome,
        headers: [String: String] = [:],
        spoilsConnection: Bool = false,
        bodyLimit: Int? = nil,
        timeout: Double = 10,
        except exceptions: [Limitation: Instead] = [:]
    ) {
        self.name = name
        self.method = method
        script = Script(bytes.map { .send($0.wireBytes) } + [end])
        self.outcome = outcome
        self.headers = headers
        self.spoilsConnection = spoilsConnection
        self.bodyLimit = bodyLimit
        self.timeout = timeout
        self.exceptions = exceptions
    }

    /// Whether the fault takes long, because of its length or its silence.
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
