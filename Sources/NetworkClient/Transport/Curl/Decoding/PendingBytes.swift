/// Bytes that are taken in the order in which they came.
struct PendingBytes: Sendable {
    private var bytes: [UInt8] = []
    private var used = 0

    var isEmpty: Bool { used == bytes.count }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: new)
    }

    mutating func take(into output: UnsafeMutableRawBufferPointer) -> Int {
        let count = withBytes { rest in
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(output.count))
            output.copyMemory(from: part)
            return part.count
        }
        drop(count)
        return count
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[used...])) }
    }

    /// So many have been used.
    mutating func drop(_ count: Int) {
        used += count
        guard isEmpty else { return }
        bytes.removeAll(keepingCapacity: true)
        used = 0
    }
}
