/// What happened during a call, step by step: attempts with their outcomes, waits, redirects, sharing, and decisions of
/// interceptors.
///
/// Its text is a timeline, one line for each step:
///
///     0.000 s  attempt 1
///     0.012 s  response 503
///     0.012 s  waits 1.000 s: RetryInterceptor, after response 503
///     1.013 s  attempt 2
///     1.020 s  response 200
///
/// If the call has a label, a line with the label comes first. It contains no header field, no body, and no query.
public struct CallJourney: Sendable {
    /// One step of a call.
    public struct Step: Sendable, Hashable {
        /// The number of seconds between the beginning of the call and the step.
        public let time: TimeInterval

        /// The kind of the step.
        public let kind: Kind

        /// The step in words, such as the reason of a wait; empty if the kind and the numbers are enough.
        public var detail: String { words.text }

        /// The number of the attempt, the status of the response or redirect, the seconds of the wait, or the number of
        /// steps that are left out; nil for other kinds.
        public let number: Double?

        private let words: Detail

        /// The URL whose request got no credential, and why; otherwise nil.
        fileprivate var withholding: (url: URL, reason: Withholding)? {
            guard case .withheld(let url, let reason) = words else { return nil }
            return (url, reason)
        }

        /// Creates a step.
        public init(time: TimeInterval, kind: Kind, detail: String = "", number: Double? = nil) {
            self.init(time: time, kind: kind, detail.isEmpty ? .none : .text(detail), number: number)
        }

        init(time: TimeInterval, kind: Kind, _ detail: Detail, number: Double? = nil) {
            self.time = time
            self.kind = kind
            self.number = number
            words = detail
        }
    }

    /// The values from which a step creates its text when the text is read.
    enum Detail: Sendable, Hashable {
        case none
        case text(String)
        /// A URL, written without its query.
        case place(URL)
        /// A credential was not added to a request to this URL.
        case withheld(URL, Withholding)

        fileprivate var text: String {
            switch self {
            case .none: ""
            case .text(let text): text
            case .place(let url): url.shownPlace
            case .withheld(let url, .foreignOrigin):
                "no credential for '\(Origin(of: url).text)', which is not one of the authentication's origins"
            case .withheld(let url, .confinement):
                "no credential for '\(Origin(of: url).text)', to which the client sends none"
            case .withheld(let url, .redirect):
                "no credential after a redirect to '\(Origin(of: url).text)'"
            }
        }
    }

    /// Why a request has no credential.
    enum Withholding: Sendable, Hashable {
        /// The credential is for these origins.
        case foreignOrigin([Origin])
        /// The client sends credentials only to the origin of its base URL, and a series of calls that has left it to
        /// none: nil.
        case confinement(Origin?)
        case redirect
    }

    /// Returns why a request to the origin of a URL did not get the credential, as the end of a clause about it; nil if
    /// none was withheld, or for no origin.
    func reasonForWithholding(from url: URL) -> String? {
        let reasons = steps.compactMap(\.withholding).filter { Origin(of: $0.url) == Origin(of: url) }.map(\.reason)
        for reason in reasons {
            switch reason {
            case .foreignOrigin(let origins) where !origins.isEmpty:
                return "is for \(origins.prefix(3).map { "'\($0.text)'" }.joined(separator: ", ")) only"
            case .confinement(let origin?): return "is for '\(origin.text)' only"
            case .redirect: return "no redirect takes to another origin"
            default: continue
            }
        }
        return nil
    }

    var hasWithheldCredential: Bool { steps.contains { $0.withholding != nil } }

    /// The kind of a step.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The name, as in the source: `attempt`.
        public var description: String { name }

        /// An attempt to get an accepted response began; ``Step/number`` is its number, from 1.
        public static let attempt = Kind("attempt")

        /// An attempt got a response; ``Step/number`` is the status.
        public static let response = Kind("response")

        /// An attempt failed without a response, or the body of its response failed; ``Step/detail`` is the reason, and
        /// the limit that has passed.
        public static let failure = Kind("failure")

        /// A redirect was followed; ``Step/number`` is its status, ``Step/detail`` the new URL.
        public static let redirect = Kind("redirect")

        /// The attempt waits for the exchange of an identical call in flight, and is not sent itself.
        public static let sharing = Kind("sharing")

        /// An interceptor waits; ``Step/number`` is the seconds, ``Step/detail`` the interceptor and the reason.
        public static let wait = Kind("wait")

        /// An interceptor decided something, such as to refuse the request, or a reader ended the call with an error;
        /// ``Step/detail`` is the decision, or how much was read.
        public static let decision = Kind("decision")

        /// Steps in the middle of a long journey are left out; ``Step/number`` is how many.
        public static let omission = Kind("omission")
    }

    /// The steps in the order in which they happened; of more than 200, the first and the last hundred.
    public let steps: [Step]

    /// The number of attempts to send the request, including attempts whose steps are left out.
    public let attempts: Int

    /// The ``CallOptions/label`` of the call; nil if it has none.
    public let label: String?

    /// Creates a journey.
    public init(steps: [Step], label: String? = nil) {
        self.init(steps: steps, attempts: steps.reduce(0) { $0 + ($1.kind == .attempt ? 1 : 0) }, label: label)
    }

    private init(steps: [Step], attempts: Int, label: String?) {
        self.steps = steps
        self.attempts = attempts
        self.label = label
    }

    /// Creates the journey of a call whose first attempt got a response with this status, after `total` seconds.
    init(status: Int, total: TimeInterval, between steps: [Step] = [], label: String? = nil) {
        let attempt = Step(time: 0, kind: .attempt, number: 1)
        let response = Step(time: total, kind: .response, number: Double(status))
        self.init(steps: [attempt] + steps + [response], attempts: 1, label: label)
    }

    /// The steps of a call in flight.
    struct Draft: Sendable {
        /// The maximum number of steps that are kept from the beginning, and from the end.
        static let limit = 100

        private var steps: [Step] = []
        private var attempts = 0
        /// The number of steps that were left out after the first hundred, and the time of the last of them.
        private var omitted = (count: 0, time: 0.0)

        var isEmpty: Bool { steps.isEmpty }

        /// Whether the last attempt has got a response.
        var hasResponse: Bool { steps.last { $0.kind == .attempt || $0.kind == .response }?.kind == .response }

        /// Puts the only attempt of a call before the steps that were kept of it.
        mutating func insertAttempt() {
            steps.insert(Step(time: 0, kind: .attempt, number: 1), at: 0)
            attempts = 1
        }

        mutating func append(_ step: Step) {
            if steps.isEmpty { steps.reserveCapacity(4) }
            if step.kind == .attempt { attempts += 1 }
            if steps.count == 2 * Self.limit {
                omitted = (omitted.count + 1, steps.remove(at: Self.limit).time)
            }
            steps.append(step)
        }

        func journey(label: String? = nil) -> CallJourney {
            guard omitted.count > 0 else { return CallJourney(steps: steps, attempts: attempts, label: label) }
            let gap = Step(time: omitted.time, kind: .omission, number: Double(omitted.count))
            let steps = steps.prefix(Self.limit) + [gap] + steps.suffix(Self.limit)
            return CallJourney(steps: Array(steps), attempts: attempts, label: label)
        }
    }
}

extension CallJourney: OpaqueValue {
    /// The label, if there is one, and a timeline, one line for each step.
    public var description: String {
        ([label].compactMap { $0 } + steps.map(\.description)).joined(separator: "\n")
    }
}

extension CallJourney.Step: OpaqueValue {
    /// The time and the step: `0.012 s  response 503`.
    public var description: String { "\(Self.seconds(time)) s  \(text)" }

    private var text: String {
        let whole = number.flatMap { Int(exactly: $0.rounded()) }.map(String.init) ?? "?"
        return switch kind {
        case .attempt, .response: "\(kind) \(whole)"
        case .redirect: "redirect \(whole) to \(detail)"
        case .wait: "waits \(Self.seconds(number ?? 0)) s: \(detail)"
        case .sharing: "waits for the exchange of an identical call in flight"
        case .omission: "\(whole) steps are left out"
        default: "\(kind): \(detail)"
        }
    }

    /// Formats seconds with three decimals, whatever the locale is.
    private static func seconds(_ seconds: Double) -> String {
        let milliseconds = Int((min(max(0, seconds), 1e9) * 1_000).rounded())
        let fraction = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
