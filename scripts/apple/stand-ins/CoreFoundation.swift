@_exported import Darwin
@_exported import ObjectiveC
public typealias CFOptionFlags = UInt
@objc public final class CFRunLoop: NSObject {}
@objc public final class CFString: NSObject {}
public typealias CFStringEncoding = UInt32
public func CFStringIsEncodingAvailable(_ encoding: CFStringEncoding) -> Bool { false }
public func CFStringConvertEncodingToNSStringEncoding(_ encoding: CFStringEncoding) -> UInt { 0 }
@objc public final class CFReadStream: NSObject {}
public typealias CFReadStreamClientCallBack =
    @convention(c) (UnsafeMutableRawPointer?, UInt, UnsafeMutableRawPointer?) -> Void
@frozen public struct CGFloat: Hashable, Sendable, LosslessStringConvertible {
    public typealias NativeType = Double
    public var native: NativeType { 0 }
    public init?(_ s: String) { nil }
    public init(_ v: Double) {}
    public var description: String { "" }
}
