import Foundation

/// A type whose values are one text each.
protocol FormScalar: FormConvertible {
    /// The text, not escaped yet; nil for a number that is not finite.
    var formText: String? { get }
}

extension FormScalar {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
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

extension Bool: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        .text(path.style.booleans.text(of: self))
    }
}

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

extension CGFloat: FormScalar {
    var formText: String? { native.formText }
}

extension Decimal: FormScalar {
    var formText: String? { isFinite ? description : nil }
}

extension URL: FormScalar {
    var formText: String? { absoluteString }
}

extension UUID: FormScalar {
    var formText: String? { uuidString }
}

extension Date: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        guard let text = path.style.dates.text(self) else {
            throw path.failure("is a date outside the years 0001 to 9999")
        }
        return .text(text)
    }
}
