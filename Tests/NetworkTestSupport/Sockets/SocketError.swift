import Foundation

/// A call of the system that failed, and its error number.
package struct SocketError: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String {
        "\(call): \(String(cString: strerror(code)))"
    }
}
