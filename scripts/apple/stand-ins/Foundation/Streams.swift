import Darwin
import Dispatch
import ObjectiveC

open class RunLoop: NSObject { public struct Mode: Hashable, Sendable { public static let `default` = Mode() } }

open class Stream: NSObject {
    public struct PropertyKey: RawRepresentable, Hashable, Sendable, _StandInBridged {
        public typealias _ObjectiveCType = NSString
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    @objc public enum Status: UInt, Sendable { case notOpen, opening, open, reading, writing, atEnd, closed, error }
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    @objc open func open() {}
    @objc open func close() {}
    @objc unowned(unsafe) open var delegate: (any StreamDelegate)?
    @objc dynamic open func property(forKey key: PropertyKey) -> Any? { nil }
    @objc dynamic open func setProperty(_ property: Any?, forKey key: PropertyKey) -> Bool { false }
    open func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}
    open func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}
    @objc open var streamStatus: Status { .notOpen }
    open var streamError: (any Error)? { nil }
}

@available(*, unavailable) extension Stream: @unchecked Sendable {}

@objc public protocol StreamDelegate: NSObjectProtocol {}

open class InputStream: Stream {
    @objc open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { 0 }
    @objc open func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>
    ) -> Bool { false }
    @objc open var hasBytesAvailable: Bool { false }
    public init(data: Data) {}
    @available(macOS 10.6, iOS 4.0, *) public init?(url: URL) {}
    public convenience init?(fileAtPath path: String) { nil }
}
