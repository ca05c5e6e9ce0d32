/// The statuses of responses that are not errors: `.successful.and(.notModified)`, `[200, .notFound]`.
public struct AcceptedStatuses: Hashable, Sendable, ExpressibleByArrayLiteral, ExpressibleByIntegerLiteral {
    private let ranges: [ClosedRange<Int>]

    /// Creates the set of ranges of status codes, such as `200...299`.
    public init(_ ranges: ClosedRange<Int>...) {
        self.ranges = ranges
    }

    /// Creates the set of statuses, such as `[200, 404]` or `[.ok, .notFound]`.
    public init(arrayLiteral statuses: HTTPStatus...) {
        ranges = statuses.map { $0.rawValue...$0.rawValue }
    }

    /// Creates the set of one status code, such as `304`.
    public init(integerLiteral code: Int) {
        ranges = [code...code]
    }

    private init(ranges: [ClosedRange<Int>]) {
        self.ranges = ranges
    }

    /// 200…299 (RFC 9110 §15.3), the default of a client.
    public static let successful = AcceptedStatuses(200...299)

    /// Every status: no response is an error.
    public static let all = AcceptedStatuses(0...Int.max)

    /// Returns the set with further statuses.
    public func and(_ statuses: HTTPStatus...) -> AcceptedStatuses {
        AcceptedStatuses(ranges: ranges + statuses.map { $0.rawValue...$0.rawValue })
    }

    func union(_ other: AcceptedStatuses) -> AcceptedStatuses {
        AcceptedStatuses(ranges: ranges + other.ranges)
    }

    func contains(_ code: Int) -> Bool {
        ranges.contains { $0.contains(code) }
    }

    /// Returns whether the set contains a status.
    public func contains(_ status: HTTPStatus) -> Bool { contains(status.rawValue) }
}
