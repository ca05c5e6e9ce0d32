@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC

public protocol _StandInBridged: _ObjectiveCBridgeable {}

extension _StandInBridged {
    public func _bridgeToObjectiveC() -> _ObjectiveCType { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool {
        false
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self { fatalError() }
}

@objc public protocol NSCopying { @objc(copyWithZone:) func copy(with zone: UnsafeMutableRawPointer?) -> Any }

@objc public protocol NSCoding {
    @objc(encodeWithCoder:) func encode(with coder: NSCoder)
    @objc(initWithCoder:) init?(coder: NSCoder)
}

@objc public protocol NSSecureCoding: NSCoding { static var supportsSecureCoding: Bool { get } }

extension NSObject { @objc open func copy() -> Any { fatalError() } }

open class NSCoder: NSObject {}

extension NSString: NSCopying { public func copy(with zone: UnsafeMutableRawPointer?) -> Any { self } }

open class NSURL: NSObject, @unchecked Sendable { public convenience init?(string: String) { fatalError() } }

open class NSDate: NSObject, @unchecked Sendable {
    public convenience init(timeIntervalSince1970: TimeInterval) { fatalError() }
}

open class NSUUID: NSObject, @unchecked Sendable {
    public init?(uuidString: String) {}
    public override init() {}
}

open class NSNull: NSObject, @unchecked Sendable {}

open class NSValue: NSObject { open var objCType: UnsafePointer<CChar> { fatalError() } }

open class NSNumber: NSValue, @unchecked Sendable {
    public init(value: Bool) {}
    public init(value: Int) {}
    public init(value: Int8) {}
    public init(value: Int64) {}
    public init(value: UInt64) {}
    public init(value: Double) {}
    public init(value: Float) {}
    open var boolValue: Bool { false }
    open var floatValue: Float { 0 }
    open var doubleValue: Double { 0 }
    open var int64Value: Int64 { 0 }
    open var uint64Value: UInt64 { 0 }
    open var intValue: Int { 0 }
    open var stringValue: String { "" }
    open var decimalValue: Decimal { fatalError() }
}

open class NSDecimalNumber: NSNumber, @unchecked Sendable {
    public convenience init(string: String?) { fatalError() }
    open class var notANumber: NSDecimalNumber { fatalError() }
    open override var decimalValue: Decimal { fatalError() }
}

extension String: CVarArg { public var _cVarArgEncoding: [Int] { [] } }

extension String: _StandInBridged { public typealias _ObjectiveCType = NSString }

extension Array: _StandInBridged, _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSArray }

extension Dictionary: _StandInBridged, _ObjectiveCBridgeable { public typealias _ObjectiveCType = NSDictionary }

public struct Decimal: Hashable, Sendable, CustomStringConvertible, Codable {
    public var description: String { "" }
    public var isFinite: Bool { true }
    public var isNaN: Bool { false }
    public static let nan = Decimal()
    public var isSignMinus: Bool { false }
    public var exponent: Int { 0 }
    public var significand: Decimal { self }
    public init() {}
    public init(_ v: Int) {}
    public init(_ v: Double) {}
    public init(_ v: UInt64) {}
    public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) {}
    public init?(string: String, locale: Locale? = nil) {}
}

extension Decimal: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, SignedNumeric, Comparable {
    public init(floatLiteral v: Double) {}
    public init(integerLiteral v: Int) {}
    public static func < (a: Decimal, b: Decimal) -> Bool { false }
    public static func + (a: Decimal, b: Decimal) -> Decimal { a }
    public static func - (a: Decimal, b: Decimal) -> Decimal { a }
    public static func * (a: Decimal, b: Decimal) -> Decimal { a }
    public static func *= (a: inout Decimal, b: Decimal) {}
    public var magnitude: Decimal { self }
    public init?<T: BinaryInteger>(exactly v: T) {}
}

public typealias uuid_t = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
)
public struct UUID: Hashable, Sendable, Codable, _StandInBridged {
    public typealias _ObjectiveCType = NSUUID
    public init() {}
    public init?(uuidString: String) {}
    public init(uuid: uuid_t) {}
    public var uuidString: String { "" }
}

extension NSObject: CustomStringConvertible { @objc open var description: String { "" } }
