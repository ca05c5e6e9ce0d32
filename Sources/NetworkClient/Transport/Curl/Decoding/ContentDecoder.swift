#if os(Linux)
/// Decodes the codings of one body, as much at a time as is asked for, and knows whether it was there to its end.
struct ContentDecoder: Sendable {
    private var input = PendingBytes()
    /// In the order in which they are undone: the last that was applied comes first (RFC 9110 §8.4).
    private var stages: [DecodingStage]

    /// Nil if one of them is not known, or there is no memory.
    ///
    /// - Parameter names: In the order in which they were applied.
    init?(names: [String]) {
        let codings = names.filter { $0 != ContentCoding.identity }.map { ContentCoding(name: $0) }
        guard codings.count <= Self.mostCodings, !codings.contains(nil) else { return nil }
        stages = codings.compactMap(\.self).reversed().compactMap { DecodingStage($0) }
        guard stages.count == codings.count else { return nil }
    }

    /// Whether nothing is missing, as nothing is of a body of which nothing came.
    var isAtEnd: Bool { stages.allSatisfy(\.isAtEnd) }

    /// Takes the next bytes of the body as they came.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) {
        input.append(bytes)
    }

    /// Fills the front of a buffer with what the bytes become.
    ///
    /// - Parameter output: Where it goes; it has room for at least one byte.
    /// - Returns: How many bytes there were; 0 if more has to be fed; nil if what was fed is not of its coding.
    mutating func read(into output: UnsafeMutableRawBufferPointer) -> Int? {
        read(behind: stages.count, into: output)
    }

    /// What comes out of so many stages.
    private mutating func read(behind count: Int, into output: UnsafeMutableRawBufferPointer) -> Int? {
        guard count > 0 else { return input.take(into: output) }
        while true {
            switch stages[count - 1].decode(into: output) {
            case .made(let made): return made
            case .broken: return nil
            case .needsMore:
                guard let fed = feedStage(count - 1) else { return nil }
                if fed == 0 { return 0 }
            }
        }
    }

    private mutating func feedStage(_ index: Int) -> Int? {
        withUnsafeTemporaryAllocation(byteCount: Self.portion, alignment: 1) { buffer in
            guard let count = read(behind: index, into: buffer) else { return nil }
            stages[index].feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return count
        }
    }

    private static let portion = 1 << 14
    /// More would have no purpose but to make much of little.
    private static let mostCodings = 4
}
#endif
