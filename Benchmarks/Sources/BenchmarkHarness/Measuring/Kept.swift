import Foundation

/// Keeps the optimiser from leaving out what nobody looks at.
public enum Kept {
    /// Takes a value, which therefore has to be made.
    ///
    /// - Parameter value: Any value.
    @inline(never)
    public static func look<Value>(_ value: Value) {
        withExtendedLifetime(value) {}
    }

    /// Copies bytes with `memcpy`: how fast the machine moves memory.
    ///
    /// - Parameters:
    ///   - source: The bytes.
    ///   - destination: At least as long.
    @inline(never)
    public static func copy(_ source: [UInt8], into destination: inout [UInt8]) {
        source.withUnsafeBytes { source in
            destination.withUnsafeMutableBytes { destination in
                guard let from = source.baseAddress, let to = destination.baseAddress else { return }
                memcpy(to, from, min(source.count, destination.count))
            }
        }
    }
}
