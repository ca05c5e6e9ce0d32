import Foundation

/// Keeps the optimiser from removing code whose result isn't used.
public enum Kept {
    /// Uses a value, so that the optimiser can't remove the code that makes it.
    @inline(never)
    public static func look<Value>(_ value: Value) {
        withExtendedLifetime(value) {}
    }

    /// Copies bytes with `memcpy`, as a measure of the machine's memory speed.
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
