/// The statuses that are answers rather than errors.
public struct AcceptedStatuses: Hashable, Sendable, ExpressibleByArrayLiteral {
    private let ranges: [ClosedRange<Int>]

    /// Takes ranges of status codes.
    ///
    /// - Parameter ranges: The ranges, such as `200...299`.
    public init(_ ranges: ClosedRange<Int>...) {
        self.ranges = ranges
    }

    /// Takes status codes.
    ///
    /// - Parameter codes: The codes, such as 200 and 404.
    public init(arrayLiteral codes: Int...) {
        ranges = codes.map { $0...$0 }
    }

    private init(ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// 200…299 (RFC 9110 §15.3), which is what a client accepts unless told otherwise.
    public static let successful = AcceptedStatuses(200...299)

    /// Every status: nothing is an error.
    public static let all = AcceptedStatuses(0...Int.max)

    /// These and some more.
    ///
    /// - Parameter codes: Further status codes.
    /// - Returns: The larger set.
    public func and(_ codes: Int...) -> AcceptedStatuses {
        AcceptedStatuses(ranges: ranges + codes.map { $0...$0 })
    }

    /// Whether a status is among them.
    ///
    /// - Parameter code: The status code.
    /// - Returns: Whether it is accepted.
    public func contains(_ code: Int) -> Bool {
        ranges.contains { $0.contains(code) }
    }
}
