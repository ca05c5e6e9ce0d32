/// How a server says that a request went (RFC 9110 §15).
///
/// The set is open: every number is a status, and one that nobody has registered is as good as any other. Its
/// class says what to make of it.
///
/// ```swift
/// func outcome(of response: HTTPURLResponse) -> String {
///     switch response.status {
///     case .ok, .created: "saved"
///     case .conflict: "somebody else was first"
///     case let status: "the server says \(status)"
///     }
/// }
/// ```
public struct HTTPStatus: RawRepresentable, Hashable, Sendable {
    /// The class of a status, which is the first of its three digits.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// 100…199: the request goes on (RFC 9110 §15.2).
        case informational

        /// 200…299: the request was understood and accepted (RFC 9110 §15.3).
        case successful

        /// 300…399: there is more to do to complete it (RFC 9110 §15.4).
        case redirection

        /// 400…499: the request is wrong or cannot be fulfilled (RFC 9110 §15.5).
        case clientError

        /// 500…599: the server has failed at a request that seems valid (RFC 9110 §15.6).
        case serverError
    }

    /// The number as it stands on the wire.
    public let rawValue: Int

    /// Takes any number.
    ///
    /// - Parameter rawValue: The code: three digits in HTTP, 100…599 where it is to have a class.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The class of the status; nil for a number that has none, below 100 or above 599.
    public var kind: Kind? {
        switch rawValue {
        case 100...199: .informational
        case 200...299: .successful
        case 300...399: .redirection
        case 400...499: .clientError
        case 500...599: .serverError
        default: nil
        }
    }
}

extension HTTPStatus: CustomStringConvertible {
    /// The number and its registered name, such as `404 Not Found`; the number alone if it has none.
    public var description: String {
        reasonPhrase.map { "\(rawValue) \($0)" } ?? "\(rawValue)"
    }
}
