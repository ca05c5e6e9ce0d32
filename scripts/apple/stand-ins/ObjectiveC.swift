@_exported import ObjectiveC
@frozen public struct Selector: ExpressibleByStringLiteral, Hashable {
    var ptr: OpaquePointer
    public init(_ s: String) { fatalError() }
    public init(stringLiteral: String) { fatalError() }
}
@frozen public struct ObjCBool: ExpressibleByBooleanLiteral {
    var _value: Int8
    public var boolValue: Bool { fatalError() }
    public init(_ v: Bool) { _value = 0 }
    public init(booleanLiteral v: Bool) { _value = 0 }
}
public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { fatalError() }
extension NSObject: Equatable, Hashable {
    public static func == (a: NSObject, b: NSObject) -> Bool { fatalError() }
    public func hash(into h: inout Hasher) {}
}
extension NSObject: CVarArg { public var _cVarArgEncoding: [Int] { fatalError() } }
