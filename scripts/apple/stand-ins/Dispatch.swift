@_exported import Darwin
@_exported import ObjectiveC
@objc(OS_dispatch_object) open class DispatchObject: NSObject {}
@objc(OS_dispatch_queue) open class DispatchQueue: DispatchObject, @unchecked Sendable {
    public convenience init(label: String) { fatalError() }
    public class func global() -> DispatchQueue { fatalError() }
    public class var main: DispatchQueue { fatalError() }
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void) {}
}
@objc(OS_dispatch_semaphore) open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) {}
    @discardableResult public func signal() -> Int { 0 }
    @available(*, noasync, message: "Await a Task handle instead") public func wait() {}
    @available(*, noasync, message: "Await a Task handle instead") public func wait(timeout: DispatchTime)
        -> DispatchTimeoutResult
    { fatalError() }
}
@frozen public enum DispatchTimeoutResult: Sendable { case success, timedOut }
public struct DispatchTime: Comparable, Sendable {
    public static func now() -> DispatchTime { fatalError() }
    public static let distantFuture = DispatchTime(uptimeNanoseconds: 0)
    public init(uptimeNanoseconds: UInt64) {}
    public var uptimeNanoseconds: UInt64 { 0 }
    public static func < (a: DispatchTime, b: DispatchTime) -> Bool { false }
}
public func + (t: DispatchTime, s: Double) -> DispatchTime { fatalError() }
public enum DispatchTimeInterval: Sendable { case seconds(Int), milliseconds(Int), nanoseconds(Int), never }
public class DispatchSource: DispatchObject {
    public struct TimerFlags: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public class func makeTimerSource(flags: TimerFlags = [], queue: DispatchQueue? = nil) -> any DispatchSourceTimer {
        fatalError()
    }
}
@objc public protocol DispatchSourceProtocol: NSObjectProtocol {}
@objc public protocol DispatchSourceTimer: DispatchSourceProtocol {}
public extension DispatchSourceProtocol {
    typealias DispatchSourceHandler = @convention(block) () -> Void
    @preconcurrency func setEventHandler(handler: (@Sendable @convention(block) () -> Void)?) {}
    func resume() {}
    func cancel() {}
}
public extension DispatchSourceTimer {
    func schedule(
        deadline: DispatchTime,
        repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) {}
}
