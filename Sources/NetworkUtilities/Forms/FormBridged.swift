import Foundation

/// An object of Foundation's that has the form of the Swift type to which it bridges.
///
/// `JSONSerialization`, property lists and Objective-C code hand out such objects.
protocol FormBridged: NSObject, FormConvertible {
    associatedtype Bridged: FormConvertible
}

extension FormBridged {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        guard let value = (self as Any) as? Bridged else { throw path.failure("is not a value of its own type") }
        return try value.formValue(at: path)
    }
}

extension NSString: FormBridged {
    typealias Bridged = String
}

extension NSURL: FormBridged {
    typealias Bridged = URL
}

extension NSUUID: FormBridged {
    typealias Bridged = UUID
}

extension NSDate: FormBridged {
    typealias Bridged = Date
}

extension NSData: FormBridged {
    typealias Bridged = Data
}

extension NSArray: FormBridged {
    typealias Bridged = [Any]
}

extension NSDictionary: FormBridged {
    typealias Bridged = [AnyHashable: Any]
}
