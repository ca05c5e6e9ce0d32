public import Foundation

/// The error for a message that the other package can't represent.
///
/// Its text has no value of a field, no query and no password.
public enum HTTPTypesConversionError: Error, Hashable, Sendable {
    /// The request has no absolute HTTP URL, or Foundation would change its bytes.
    case invalidURL

    /// The method is not a token, is CONNECT, or is one that Foundation changes, such as `get`.
    case invalidMethod(String)

    /// The name of a field is not a token, or its value has control characters or white space at its ends.
    case invalidField(name: String)

    /// The status is not in 100…999.
    case invalidStatus(Int)
}

extension HTTPTypesConversionError: LocalizedError, CustomStringConvertible {
    /// What can't be converted, and why.
    public var description: String {
        switch self {
        case .invalidURL: "The request can't be converted: it has no absolute HTTP URL that Foundation keeps unchanged."
        case .invalidMethod(let method):
            "The request can't be converted: its method \(method.debugDescription) is invalid."
        case .invalidField(let name): "The message can't be converted: its field \(name.debugDescription) is invalid."
        case .invalidStatus(let status): "The response can't be converted: its status \(status) is not in 100 to 999."
        }
    }

    /// The description.
    public var errorDescription: String? { description }
}
