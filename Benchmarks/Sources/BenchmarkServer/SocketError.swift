import Foundation

/// A call of the system that failed.
public struct SocketError: Error, CustomStringConvertible {
    /// The call and what the system says.
    public let description: String

    init(_ call: String) {
        description = "\(call): \(String(cString: strerror(errno)))"
    }
}
