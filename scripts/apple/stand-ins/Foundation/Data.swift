import Darwin
import Dispatch
import ObjectiveC

public struct Data: Hashable, Sendable, Codable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection,
    DataProtocol, _StandInBridged
{
    public typealias _ObjectiveCType = NSData
    public typealias Index = Int
    public typealias Element = UInt8
    public typealias SubSequence = Data
    public typealias Indices = Range<Int>
    public init() {}
    public init(count: Int) {}
    public init(capacity: Int) {}
    public init(repeating: UInt8, count: Int) {}
    public init<S: Sequence>(_ s: S) where S.Element == UInt8 {}
    public init?(base64Encoded: String, options: Int = 0) {}
    public init?(base64Encoded: Data, options: Int = 0) {}
    public init(contentsOf: URL) throws {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(i: Int) -> UInt8 {
        get { 0 }
        set {}
    }
    public subscript(r: Range<Int>) -> Data {
        get { self }
        set {}
    }
    public mutating func replaceSubrange<C: Collection>(_ r: Range<Int>, with c: C) where C.Element == UInt8 {}
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
        fatalError()
    }
    public mutating func append(_ other: Data) {}
    public mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {}
    public mutating func append(_ p: UnsafePointer<UInt8>, count: Int) {}
    public func copyBytes(to: UnsafeMutableRawBufferPointer, from: Range<Int>) {}
    @discardableResult public func copyBytes(to: UnsafeMutableRawBufferPointer) -> Int { 0 }
    public func base64EncodedString() -> String { "" }
    public func range(of: Data, options: Int = 0, in: Range<Int>? = nil) -> Range<Int>? { nil }
    public enum Deallocator {
        case free, none
        case custom((UnsafeMutableRawPointer, Int) -> Void)
    }
    public init(bytesNoCopy: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) {}
    public func subdata(in: Range<Int>) -> Data { self }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let atomic = Self(rawValue: 1)
    }
    public func write(to: URL, options: WritingOptions = []) throws {}
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}

extension Array: DataProtocol where Element == UInt8 {}

extension ArraySlice: DataProtocol where Element == UInt8 {}
