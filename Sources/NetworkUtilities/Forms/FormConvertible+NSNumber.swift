import Foundation

extension NSNull: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue { .null }
}

extension NSNumber: FormConvertible {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        if let decimal = self as? NSDecimalNumber { return try decimal.decimalValue.formValue(at: path) }
        // A Boolean is told from a number by its class only: it is equal to 1 and encoded as a char, as an Int8 is.
        if type(of: self) == type(of: NSNumber(value: true)) { return try boolValue.formValue(at: path) }
        switch String(cString: objCType) {
        case "f": return try floatValue.formValue(at: path)
        case "d": return try doubleValue.formValue(at: path)
        default: return .text(stringValue)
        }
    }
}
