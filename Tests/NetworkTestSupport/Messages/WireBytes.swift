package import Foundation

/// What can stand for bytes in a script: a string (as UTF-8), an array of bytes, data.
package protocol WireBytes: Sendable {
    var wireBytes: [UInt8] { get }
}

extension String: WireBytes {
    package var wireBytes: [UInt8] { [UInt8](utf8) }
}

extension Array: WireBytes where Element == UInt8 {
    package var wireBytes: [UInt8] { self }
}

extension Data: WireBytes {
    package var wireBytes: [UInt8] { [UInt8](self) }
}
