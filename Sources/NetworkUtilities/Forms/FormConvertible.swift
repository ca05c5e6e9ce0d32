/// A type that is converted to a ``FormValue`` directly, not by its `Encodable` conformance.
///
/// A value of type `Any` is recognised by a cast to this protocol, which tests the value's actual type. On Apple
/// platforms, a cast to `Bool` or `Int` would also succeed for bridged types, and would read the number 1 as true.
protocol FormConvertible {
    /// Converts the value.
    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue
}

/// Facts about the values of a type, for a nil of that type.
enum FormType {
    /// Returns whether a value of a type may have parts with names of their own.
    ///
    /// An array or an object has; a text or a number has not, and a type such as `Any` tells nothing.
    static func mayHaveParts(_ type: Any.Type) -> Bool {
        if let type = type as? any OptionalType.Type { return mayHaveParts(type.wrappedType) }
        if type is any FormScalar.Type || type is any URLTextConvertible.Type || type is any RawRepresentable.Type {
            return false
        }
        if type is any FormKeyed.Type || type is any FormArray.Type { return true }
        return type is any Encodable.Type && type != Date.self && type != Data.self
    }
}

/// An optional of any type.
protocol OptionalType {
    static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
}

/// A type whose values are one text each.
protocol FormScalar: FormConvertible {
    /// The text, not escaped; nil for a number that is not finite.
    var formText: String? { get }
}

extension FormScalar {
    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue {
        guard let formText else { throw path.failure("is not a finite number") }
        return .text(formText)
    }
}

extension FormScalar where Self: LosslessStringConvertible {
    var formText: String? { String(self) }
}

extension FormScalar where Self: LosslessStringConvertible & BinaryFloatingPoint {
    var formText: String? { isFinite ? String(self) : nil }
}

extension String: FormScalar {}
extension Substring: FormScalar {}
extension Character: FormScalar {}

extension Int: FormScalar {}
extension Int8: FormScalar {}
extension Int16: FormScalar {}
extension Int32: FormScalar {}
extension Int64: FormScalar {}
extension UInt: FormScalar {}
extension UInt8: FormScalar {}
extension UInt16: FormScalar {}
extension UInt32: FormScalar {}
extension UInt64: FormScalar {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: FormScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: FormScalar {}

extension Float: FormScalar {}
extension Double: FormScalar {}
extension CGFloat: FormScalar { var formText: String? { native.formText } }
extension Decimal: FormScalar { var formText: String? { isFinite ? description : nil } }
extension URL: FormScalar { var formText: String? { absoluteString } }
extension UUID: FormScalar { var formText: String? { uuidString } }

extension MediaType: FormConvertible { func formValue(at path: FormPath) -> FormValue { .text(value) } }
extension EntityTag: FormConvertible { func formValue(at path: FormPath) -> FormValue { .text(value) } }

extension Bool: FormConvertible {
    func formValue(at path: FormPath) -> FormValue { .text(path.style.booleans.text(of: self)) }
}

extension Date: FormConvertible {
    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue {
        guard let text = path.style.dates.text(self) else {
            throw path.failure("is a date outside the years 0001 to 9999")
        }
        return .text(text)
    }
}

extension Data: FormConvertible {
    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue {
        throw path.failure("contains bytes, which have no text form; convert them first, for example to Base64")
    }
}

/// A value of any type that stands for another one: an optional, or an object of Foundation.
protocol ValueWrapper {
    /// The value; nil for nil.
    var wrapped: Any? { get }
}

extension Optional: ValueWrapper, FormConvertible {
    var wrapped: Any? { map { $0 as Any } }

    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue {
        var value = self as Any
        // A loop, because a value in `Any` can be an optional of an optional.
        while let wrapper = value as? any ValueWrapper {
            guard let wrapped = wrapper.wrapped else { return .null }
            value = wrapped
        }
        return try FormValue(value, at: path)
    }
}

extension AnyHashable: ValueWrapper, FormConvertible {
    var wrapped: Any? { base }

    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue {
        try FormValue(base, at: path)
    }
}

/// A collection that is written as an array.
protocol FormArray: FormConvertible, Sequence {}

extension FormArray {
    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue {
        var values: [FormValue] = []
        for element in self {
            if let common = FormValue(common: element, in: path) {
                values.append(common)
            } else {
                values.append(try FormValue(element, at: path.appending(AnyCodingKey(intValue: values.count))))
            }
        }
        return .array(values)
    }
}

extension Array: FormArray {}
extension ArraySlice: FormArray {}
extension ContiguousArray: FormArray {}

/// A set has no order, so its elements are sorted: equal sets have equal forms.
extension Set: FormArray {
    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue {
        let value = try FormValue(Array(self), at: path)
        guard case .array(let elements) = value else { return value }
        guard elements.allSatisfy({ $0.text != nil }) else { return .array(elements.sorted { "\($0)" < "\($1)" }) }
        return .array(elements.sorted { ($0.text ?? "") < ($1.text ?? "") })
    }
}

/// A collection of named values.
protocol FormKeyed: FormConvertible {
    /// Returns the values with the texts of their keys in a style, in no order; nil if a key has no text.
    func namedValues(_ style: FormStyle) -> [(name: String, value: Any)]?
}

/// A dictionary has no order, so its keys are sorted: equal dictionaries have equal forms.
extension Dictionary: FormKeyed {
    func namedValues(_ style: FormStyle) -> [(name: String, value: Any)]? {
        var values: [(name: String, value: Any)] = []
        values.reserveCapacity(count)
        for (key, value) in self {
            guard let name = Self.name(key, style) else { return nil }
            values.append((name, value))
        }
        return values
    }

    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue {
        guard let namedValues = namedValues(path.style) else {
            throw path.failure("has a key that is not a text or a number")
        }
        var fields: [FormValue.Field] = []
        fields.reserveCapacity(count)
        for (name, value) in namedValues { fields.append(try FormValue.Field(name, value, in: path)) }
        // Two keys can have the same name, such as 1 and "1".
        return .object(fields.sorted { $0.name == $1.name ? "\($0.value)" < "\($1.value)" : $0.name < $1.name })
    }

    /// Returns the text of the key, of its encoding or of its raw value.
    private static func name(_ key: Key, _ style: FormStyle) -> String? {
        if Key.self == String.self, let name = key as? String { return name }
        let path = FormPath.root(style)
        if let text = (try? FormValue(key, at: path))?.text { return text }
        guard let key = key as? any RawRepresentable else { return nil }
        return (try? FormValue(key.rawValue, at: path))?.text
    }
}

/// A Foundation object with the form of the Swift type that it bridges to.
///
/// `JSONSerialization`, property lists and Objective-C code return such objects.
protocol FormBridged: NSObject, ValueWrapper, FormConvertible {
    associatedtype Bridged: FormConvertible
}

extension FormBridged {
    var wrapped: Any? { (self as Any) as? Bridged }

    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue {
        guard let value = (self as Any) as? Bridged else { throw path.failure("is not a value of its declared type") }
        return try value.formValue(at: path)
    }
}

extension NSString: FormBridged { typealias Bridged = String }
extension NSURL: FormBridged { typealias Bridged = URL }
extension NSUUID: FormBridged { typealias Bridged = UUID }
extension NSDate: FormBridged { typealias Bridged = Date }
extension NSData: FormBridged { typealias Bridged = Data }
extension NSArray: FormBridged { typealias Bridged = [Any] }
extension NSDictionary: FormBridged { typealias Bridged = [AnyHashable: Any] }

extension NSNull: ValueWrapper, FormConvertible {
    var wrapped: Any? { nil }

    func formValue(at path: FormPath) -> FormValue { .null }
}

extension NSNumber: ValueWrapper, FormConvertible {
    var wrapped: Any? { swiftNumber }

    /// The number as the Swift type that it was created from.
    private var swiftNumber: any FormConvertible {
        if let decimal = self as? NSDecimalNumber { return decimal.decimalValue }
        // Only the class distinguishes a Boolean from a number: `true` equals 1, and has the `objCType` of an `Int8`.
        if type(of: self) == type(of: NSNumber(value: true)) { return boolValue }
        switch String(cString: objCType) {
        case "f": return floatValue
        case "d": return doubleValue
        case "Q": return uint64Value
        default: return int64Value
        }
    }

    func formValue(at path: FormPath) throws(ValueFailure) -> FormValue { try swiftNumber.formValue(at: path) }
}
