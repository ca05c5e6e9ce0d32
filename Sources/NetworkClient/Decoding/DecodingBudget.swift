/// What decoding one body may take: work, stack and time.
///
/// The types of the library that decode a value again, or go on after an error, share one budget for each body, so that
/// a hostile body takes no more than a multiple of the time for its size.
final class DecodingBudget: Sendable {
    /// The limit of the call has passed.
    struct Overdue: Error {}

    private struct State {
        /// The tokens that were read again, or the values if the decoder isn't the library's.
        var spent = 0
        var discardsErrors = false
        var isOver = false
        var isEnded = false
    }

    /// The budget of the body that this task decodes; nil until one is needed.
    @TaskLocal static var current: DecodingBudget?

    /// The budget of the body that this task decodes, unless the task was only started while the body was decoded.
    private static var active: DecodingBudget? { current.flatMap { $0.isEnded ? nil : $0 } }

    /// Whether a cancel and the limit of a call end decoding.
    private let isOfACall: Bool
    private let limit: TimeLimit?
    /// The address of the stack at which decoding began.
    private let base: UInt
    private let state = Locked(State())

    /// The number of tokens of a text that is not long, or of values, that may be read again.
    private static let mostTokens = 1_000_000
    private static let mostValues = 100_000
    /// How often a long text may be read again, on average.
    private static let mostReadings = 64
    /// A thread has 512 KiB, except the main one and those of some systems.
    private static let mostStack: UInt = 256 << 10

    private init() {
        (isOfACall, limit) = (false, nil)
        base = Self.stackAddress
    }

    /// Creates the budget of a call, with a limit that has not passed.
    init(until limit: TimeLimit?) {
        isOfACall = true
        self.limit = limit.flatMap { $0.remaining > 0 ? $0 : nil }
        base = Self.stackAddress
    }

    private static var stackAddress: UInt {
        var local = 0
        return withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
    }

    /// Calls a closure with the budget of this body.
    ///
    /// - Throws: `DecodingError` if too little of the stack is left for a value within the one at this path.
    static func shared<Value>(at decoder: any Decoder, _ body: (DecodingBudget) throws -> Value) throws -> Value {
        guard let current = active else { return try DecodingBudget().use(body) }
        let used = current.base > stackAddress ? current.base - stackAddress : 0
        guard used < mostStack else {
            throw DecodingReason("is nested too deeply for the stack").error(at: decoder.codingPath)
        }
        return try body(current)
    }

    /// Calls a closure with this budget, which ends with it.
    func use<Value>(_ body: (DecodingBudget) throws -> Value) throws -> Value {
        defer { state.withLock { $0.isEnded = true } }
        return try Self.$current.withValue(self) { try body(self) }
    }

    /// Throws an error if decoding must end: the task is cancelled, or the limit of the call has passed.
    func check() throws {
        guard isOfACall else { return }
        let isCancelled = Task.isCancelled
        guard isCancelled || limit.map({ $0.remaining <= 0 }) == true else { return }
        state.withLock { $0.isOver = true }
        throw isCancelled ? CancellationError() : Overdue()
    }

    /// Whether all decoding ends with the error that was thrown.
    var isOver: Bool { state.withLock { $0.isOver } }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    /// As ``check()``, for the budget of this task.
    static func check() throws {
        try active?.check()
    }

    /// Whether an error is one with which all decoding ends.
    static func ends(with error: any Error) -> Bool { error is CancellationError || error is Overdue }

    /// Takes another attempt to decode a value.
    ///
    /// - Throws: `DecodingError` if there were too many; the errors of ``check()``.
    func takeAttempt(_ decoder: any Decoder, costing cost: Int = 1) throws {
        try check()
        let counts = decoder.native?.tokenCounts
        let most = counts.map { max(Self.mostTokens, $0.document * Self.mostReadings) } ?? Self.mostValues
        let isLeft = state.withLock { state in
            state.spent += counts?.value ?? cost
            state.isOver = state.isOver || state.spent > most
            return state.spent <= most
        }
        guard isLeft else { throw DecodingReason("has too many alternatives to try").error(at: decoder.codingPath) }
    }

    /// Whether texts and paths of errors, which take longer to make than all else, are not read.
    static var discardsErrors: Bool { active?.state.withLock { $0.discardsErrors } ?? false }

    /// Calls a closure; if its errors are not read, they have neither text nor path.
    func discardingErrors<Value>(_ isDiscarding: Bool, _ body: () throws -> Value) rethrows -> Value {
        let earlier = state.withLock { state in
            defer { state.discardsErrors = isDiscarding }
            return state.discardsErrors
        }
        defer { if earlier != isDiscarding { state.withLock { $0.discardsErrors = earlier } } }
        return try body()
    }
}
