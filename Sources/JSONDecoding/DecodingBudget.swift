#if os(Linux)
import CStack
#endif

/// What decoding one text may take: work and stack.
///
/// The types of the library that decode a value again, or go on after an error, share one budget for each text, so that
/// a hostile text takes no more than a multiple of the time for its size.
package final class DecodingBudget: Sendable {
    private struct State {
        /// The tokens that were read again, or the values if the decoder isn't the library's.
        var spent = 0
        var discardsErrors = false
        var isOver = false
        var isEnded = false
    }

    /// The budget of a text that a decoder reads which isn't the library's, made by the outermost value that needs one.
    @TaskLocal private static var outermost: DecodingBudget?

    /// The call for which the text is decoded; nil if nothing ends its decoding.
    package let scope: DecodingScope?
    private let most: Int
    /// The address of the stack at which decoding began.
    private let base = DecodingBudget.stackAddress
    private let state = Locked(State())

    /// The number of values that may be read again, where the tokens are not known.
    private static let maxValues = 1_000_000
    /// The number of tokens of a text that is not long that may be read again.
    private static let maxTokens = 200_000
    /// How often a long text may be read again, on average.
    private static let maxReadings = 64
    /// A thread has 512 KiB, except the main one and those of some systems.
    private static let maxStack: UInt = 256 << 10

    /// Creates the budget of a text, when its decoding begins; the number of tokens is nil if it is not known.
    init(tokens: Int? = nil, for scope: DecodingScope? = .active) {
        self.scope = scope
        most = tokens.map { max(Self.maxTokens, $0 * Self.maxReadings) } ?? Self.maxValues
    }

    private static var stackAddress: UInt {
        #if os(Linux)
        return cstack_address()
        #else
        var local = 0
        return withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
        #endif
    }

    /// Calls a closure with the budget of the text that a decoder reads.
    ///
    /// - Throws: `DecodingError` if too little of the stack is left for a value within the one at this path.
    package static func of<Value>(_ decoder: any Decoder, _ body: (DecodingBudget) throws -> Value) throws -> Value {
        if let budget = decoder.native?.document.budget ?? outermost.flatMap({ $0.isEnded ? nil : $0 }) {
            try budget.checkStack(decoder)
            return try body(budget)
        }
        let budget = DecodingBudget()
        defer { budget.end() }
        return try $outermost.withValue(budget) { try body(budget) }
    }

    private func checkStack(_ decoder: any Decoder) throws {
        let address = Self.stackAddress
        guard base > address, base - address > Self.maxStack, !isEnded else { return }
        throw DecodingReason("is nested too deeply for the stack").error(at: decoder.codingPath)
    }

    /// Notes that decoding has ended: a decoder that was stored is used on another stack.
    func end() { state.withLock { $0.isEnded = true } }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Whether all decoding ends with the error that was thrown.
    package var isOver: Bool { scope?.isOver == true || state.withLock { $0.isOver } }

    /// Takes another attempt to decode a value.
    ///
    /// - Throws: `DecodingError` if there were too many; the errors of ``DecodingScope/check()``.
    package func takeAttempt(_ decoder: any Decoder, costing cost: Int = 1) throws {
        try scope?.check()
        let cost = decoder.native?.tokenCount ?? cost
        let isLeft = state.withLock { state in
            state.spent += cost
            state.isOver = state.isOver || state.spent > most
            return state.spent <= most
        }
        guard isLeft else { throw DecodingReason("has too many alternatives to try").error(at: decoder.codingPath) }
    }

    /// Whether texts and paths of errors, which take longer to make than all else, are not read.
    var discardsErrors: Bool { state.withLock { $0.discardsErrors } }

    /// Calls a closure; if its errors are not read, they have neither text nor path.
    package func discardingErrors<Value>(_ isDiscarding: Bool, _ body: () throws -> Value) rethrows -> Value {
        let earlier = state.withLock { state in
            defer { state.discardsErrors = isDiscarding }
            return state.discardsErrors
        }
        defer { if earlier != isDiscarding { state.withLock { $0.discardsErrors = earlier } } }
        return try body()
    }
}

/// The call for which a task decodes a body: its cancel and its limit end decoding.
package final class DecodingScope: Sendable {
    /// The limit of the call has passed.
    private struct Overdue: Error {}

    private struct State {
        var isOver = false
        var isEnded = false
    }

    @TaskLocal private static var current: DecodingScope?

    /// The call for which this task decodes, unless the task was only started while it decoded.
    static var active: DecodingScope? { current.flatMap { $0.state.withLock(\.isEnded) ? nil : $0 } }

    private let hasPassed: (@Sendable () -> Bool)?
    private let state = Locked(State())

    /// Creates the scope of a call, with whether its limit has passed; a limit that has passed already is ignored.
    package init(until hasPassed: (@Sendable () -> Bool)?) {
        self.hasPassed = hasPassed.flatMap { $0() ? nil : $0 }
    }

    /// Runs a closure whose decoding ends when the call does.
    package func decode<Value>(_ body: () throws -> Value) throws -> Value {
        defer { state.withLock { $0.isEnded = true } }
        let value = try Self.$current.withValue(self, operation: body)
        // An initialiser may have ignored the error with which decoding ends.
        if isOver { try check() }
        return value
    }

    /// Throws an error if decoding must end: the task is cancelled, or the limit of the call has passed.
    package func check() throws {
        let isCancelled = Task.isCancelled
        guard isCancelled || hasPassed?() == true else { return }
        state.withLock { $0.isOver = true }
        throw isCancelled ? CancellationError() : Overdue()
    }

    /// Whether all decoding ends with the error that was thrown.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether an error is one with which all decoding ends.
    package static func ends(with error: any Error) -> Bool { error is CancellationError || error is Overdue }
}
