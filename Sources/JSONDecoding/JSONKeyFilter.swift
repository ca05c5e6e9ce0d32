/// Finds out, while an object is scanned, whether its keys are plain (``JSONToken/isPlain``), few and all different.
///
/// A search from a ``JSONHint`` on would miss the first of two equal keys.
struct JSONKeyFilter {
    /// The maximum number of keys; in larger objects, keys are looked up in the dictionary of a ``JSONShape``.
    ///
    /// The more keys there are, the more of them are compared with all others.
    static let maximumCount = 48

    /// A filter in which each key sets one of 64 bits: a key whose bit is already set may be equal to an earlier one.
    private(set) var bits: UInt64 = 0

    /// Whether some keys aren't plain, are too many, or may be equal.
    var isUnusual = false

    /// Adds a key.
    ///
    /// - Returns: Whether an earlier key may be equal.
    mutating func insert(_ key: JSONToken, length: Int, number: Int, _ text: RawSpan) -> Bool {
        if isUnusual { return false }
        guard key.isPlain, length < JSONToken.longLength, number < Self.maximumCount else {
            isUnusual = true
            return false
        }
        // The key is too close to the end of the text to read eight bytes, so it has to be compared with all keys.
        guard let hash = Self.hash(key.start, length, text) else { return true }
        let bit: UInt64 = 1 &<< (hash &>> 58)
        defer { bits |= bit }
        return bits & bit != 0
    }

    private static func hash(_ start: Int, _ length: Int, _ text: RawSpan) -> UInt64? {
        guard var word = text.word(at: start) else { return nil }
        if length < 8 {
            word &= (1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1
        } else if let last = text.word(at: start &+ length &- 8) {
            word ^= last &* 0x9E37_79B9_7F4A_7C15
        }
        return (word ^ UInt64(truncatingIfNeeded: length)) &* 0xD6E8_FEB8_6659_FD93
    }

    /// Returns whether a key is equal to an earlier one of its object.
    ///
    /// There are at most ``maximumCount`` keys, so the time is proportional to the length of the text.
    @inline(never)
    static func repeats(_ key: JSONToken, in range: Range<Int>, of slots: JSONSlots, _ text: RawSpan) -> Bool {
        let bytes = text.extracting(key.start..<key.start + key.shortLength)
        var index = range.lowerBound
        while index < range.upperBound {
            let other = JSONToken(bits: slots[index])
            if other.shortLength == key.shortLength, text.contains(bytes, at: other.start) { return true }
            let value = other.indexAfterScalar(at: index)
            index = JSONToken(bits: slots[value]).indexAfterValue(at: value)
        }
        return false
    }
}
