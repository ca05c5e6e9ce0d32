/// Which part of a representation a body is (RFC 9110 §14.4).
struct ContentRange: Equatable, Sendable {
    /// The first byte and the one after the last; nil if no range could be had.
    let range: Range<Int>?
    /// The bytes of the whole; nil if that is not known.
    let total: Int?

    /// Nil for anything but `bytes first-last/total`, `bytes first-last/*` and `bytes */total`.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        total = halves[1] == "*" ? nil : Self.number(halves[1])
        guard total != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            range = nil
            guard total != nil else { return nil }
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else { return nil }
        guard first <= last, last < total ?? .max, last < .max else { return nil }
        range = first..<(last + 1)
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }
}
