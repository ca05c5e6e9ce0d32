@_exported import ObjectiveC
@objc(OS_os_log) open class OSLog: NSObject, @unchecked Sendable {
    public init(subsystem: String, category: String) {}
    public class var `default`: OSLog { fatalError() }
}
public struct OSLogType: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ r: UInt8) { rawValue = r }
    public static var `default`: OSLogType { fatalError() }
    public static var info: OSLogType { fatalError() }
    public static var debug: OSLogType { fatalError() }
    public static var error: OSLogType { fatalError() }
    public static var fault: OSLogType { fatalError() }
}
public func os_log(
    _ message: StaticString,
    dso: UnsafeRawPointer? = #dsohandle,
    log: OSLog = .default,
    type: OSLogType = .default,
    _ args: any CVarArg...
) {}
@available(macOS 10.14, iOS 12.0, watchOS 5.0, tvOS 12.0, *)
public func os_log(
    _ type: OSLogType,
    dso: UnsafeRawPointer = #dsohandle,
    log: OSLog = .default,
    _ message: StaticString,
    _ args: any CVarArg...
) {}
