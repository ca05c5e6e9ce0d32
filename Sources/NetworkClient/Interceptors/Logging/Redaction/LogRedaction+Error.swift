import Foundation

extension LogRedaction {
    /// An error in one line that holds no secret.
    ///
    /// The library's own errors say what happened. Of others only the type, the case and the code are shown, since
    /// their texts may quote anything.
    ///
    /// - Parameter error: The error.
    /// - Returns: The text.
    public func text(of error: any Error) -> String {
        guard !(error is CancellationError) else { return "cancelled" }
        let type = type(of: error)
        // Types are asked, not values: a value of any error type can pass for the `NSError` it bridges to.
        let speaksForItself = type is any SelfDescribingError.Type && type is any CustomStringConvertible.Type
        return PrintableText.line(maskedText(speaksForItself ? String(describing: error) : Self.name(of: error)))
    }

    private static func name(of error: any Error) -> String {
        let type = typeName(of: error)
        if let name = caseName(of: error) { return "\(type).\(name)" }
        if Swift.type(of: error) is any CustomNSError.Type, let error = error as? any CustomNSError {
            return "\(type) (\(domain(of: error)) \(error.errorCode))"
        }
        if Swift.type(of: error) is NSError.Type, let error = (error as AnyObject) as? NSError {
            return "\(type) (\(error.domain) \(error.code))"
        }
        return type
    }

    /// The name of the type without its module.
    private static func typeName(of error: any Error) -> String {
        let parts = String(reflecting: type(of: error)).split(separator: ".").filter { !$0.hasPrefix("(") }
        return parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: ".")
    }

    private static func domain<Failure: CustomNSError>(of error: Failure) -> String {
        Failure.errorDomain
    }

    /// The name of an enum's case without its values; nil if the type has a say in how it is shown.
    private static func caseName(of error: any Error) -> String? {
        let type = type(of: error)
        guard !(type is any CustomReflectable.Type) else { return nil }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return nil }
        if let child = mirror.children.first { return child.label }
        let hasTextOfItsOwn =
            type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
            || type is any TextOutputStreamable.Type
        return hasTextOfItsOwn ? nil : String(describing: error)
    }
}
