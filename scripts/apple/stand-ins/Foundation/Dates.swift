import Darwin
import Dispatch
import ObjectiveC

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable, Codable, _StandInBridged {
    public typealias _ObjectiveCType = NSDate
    public init() {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public init(timeIntervalSinceNow: TimeInterval) {}
    public init(timeIntervalSinceReferenceDate: TimeInterval) {}
    public var timeIntervalSince1970: TimeInterval { 0 }
    public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
    public func timeIntervalSince(_ d: Date) -> TimeInterval { 0 }
    public static func + (a: Date, b: TimeInterval) -> Date { a }
    public static func - (a: Date, b: TimeInterval) -> Date { a }
    public func addingTimeInterval(_ t: TimeInterval) -> Date { self }
    public static let distantPast = Date(), distantFuture = Date()
    public static func < (a: Date, b: Date) -> Bool { false }
}

extension Date {
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
    public struct ISO8601FormatStyle: Sendable {
        public init() {}
        public func parse(_ value: String) throws -> Date { Date() }
    }
}

public struct DateInterval: Sendable { public var duration: TimeInterval }

public struct Locale: Hashable, Sendable {
    public init(identifier: String) {}
    public static var preferredLanguages: [String] { [] }
}

public struct TimeZone: Hashable, Sendable { public init?(secondsFromGMT: Int) {} }

public struct DateComponents: Hashable, Sendable { public var year: Int?, month: Int?, day: Int? }

public struct Calendar: Hashable, Sendable {
    public enum Identifier: Sendable { case gregorian }
    public enum Component: Hashable, Sendable { case year, month, day }
    public init(identifier: Identifier) {}
    public var timeZone: TimeZone {
        get { fatalError() }
        set {}
    }
    public func dateComponents(_ c: Set<Component>, from: Date) -> DateComponents { DateComponents() }
}

open class Formatter: NSObject {}

open class DateFormatter: Formatter, @unchecked Sendable {
    open var locale: Locale!
    open var timeZone: TimeZone!
    open var dateFormat: String!
    open func string(from: Date) -> String { "" }
    open func date(from: String) -> Date? { nil }
}

open class ISO8601DateFormatter: Formatter, @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let withInternetDateTime = Self(rawValue: 1)
    }
    open var formatOptions: Options = []
    open var timeZone: TimeZone!
    open func string(from: Date) -> String { "" }
}
