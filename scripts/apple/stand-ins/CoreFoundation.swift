@_exported import Darwin
@_exported import ObjectiveC
public typealias CFIndex = Int
public typealias CFOptionFlags = UInt
open class NSString: NSObject, @unchecked Sendable { public init(string: String) {} }
open class NSData: NSObject, @unchecked Sendable {
    public enum CompressionAlgorithm: Int, Sendable {
        case lzfse, lz4, lzma, zlib
    }
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
    public func decompressed(using algorithm: CompressionAlgorithm) throws -> Self { self }
}
open class NSArray: NSObject { public convenience init(array: [Any]) { fatalError() } }
open class NSDictionary: NSObject { public convenience init(dictionary: [AnyHashable: Any]) { fatalError() } }
// Foundation's classes stand here for those that they are bridged to without cost, so that `as` converts to both.
public typealias CFString = NSString
public typealias CFData = NSData
public typealias CFArray = NSArray
public typealias CFDictionary = NSDictionary
public final class CFAllocator {}
public final class CFError: Error, @unchecked Sendable {}
@objc public final class CFRunLoop: NSObject {}
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
