/// Finds out, while an object is scanned, whether its keys are plain (``JSONToken/isPlain``), few and all different.
///
/// A search from a ``JSONHint`` on would miss the first of two equal keys.
struct JSONKeyFilter {
    /// The maximum number of keys; those of larger objects are compared by a ``JSONKeyTable``.
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

    static func hash(_ start: Int, _ length: Int, _ text: RawSpan) -> UInt64? {
        guard var word = text.word(at: start) else { return nil }
        if length < 8 {
            word &= (1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1
        } else if let last = text.word(at: start &+ length &- 8) {
            word ^= last &* 0x9E37_79B9_7F4A_7C15
        }
        return hash(word, length)
    }

    /// Returns the hash of a name that no text follows.
    static func hash(_ name: RawSpan) -> UInt64 {
        if let hash = hash(0, name.byteCount, name) { return hash }
        var word: UInt64 = 0
        for index in 0..<name.byteCount { word |= UInt64(name.byte(at: index) ?? 0) &<< UInt64(index &* 8) }
        return hash(word, name.byteCount)
    }

    private static func hash(_ word: UInt64, _ length: Int) -> UInt64 {
        (word ^ UInt64(truncatingIfNeeded: length)) &* 0xD6E8_FEB8_6659_FD93
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

/// The keys of an object that has more of them than a ``JSONKeyFilter`` compares: an open hash table of their indices.
///
/// One object of 78 members, of which 20 are decoded, takes half of the time that it takes with ``JSONMembers``.
struct JSONKeyTable {
    private var slots: [UInt32]
    /// The number of bits by which a hash is shifted to the index of a slot.
    private let shift: UInt64

    /// The most slots that are tried for a key: a text whose keys have equal hashes is for ``JSONMembers``.
    private static let maximumProbes = 32

    /// Creates the table of an object; nil for an object that ``JSONMembers`` serves, and for one with few keys.
    init?(_ document: JSONDocument, _ object: Int) {
        let count = document.childCount(object)
        guard count > JSONKeyFilter.maximumCount else { return nil }
        let bits = Int.bitWidth &- (2 &* count &- 1).leadingZeroBitCount
        slots = [UInt32](repeating: 0, count: 1 &<< bits)
        shift = UInt64(truncatingIfNeeded: 64 &- bits)
        var key = object &+ 2
        let isComplete = document.text.withBytes { bytes in
            for _ in 0..<count {
                let token = document.token(key)
                guard token.isPlain, token.shortLength < JSONToken.longLength else { return false }
                let name = bytes.extracting(token.start..<token.start &+ token.shortLength)
                let hash = JSONKeyFilter.hash(token.start, token.shortLength, bytes) ?? JSONKeyFilter.hash(name)
                guard let (slot, isFree) = find(name, hash, document, bytes), isFree else { return false }
                slots[slot] = UInt32(truncatingIfNeeded: key)
                key = document.index(afterValue: document.value(ofKey: key))
            }
            return true
        }
        guard isComplete else { return nil }
    }

    /// Returns the index of a key.
    func key(_ name: RawSpan, in document: JSONDocument, _ bytes: RawSpan) -> Int? {
        guard let (slot, isFree) = find(name, JSONKeyFilter.hash(name), document, bytes), !isFree else { return nil }
        return Int(slots[slot])
    }

    /// Returns the slot that has a key, or that is free for it; nil after too many others.
    private func find(
        _ name: RawSpan,
        _ hash: UInt64,
        _ document: JSONDocument,
        _ bytes: RawSpan
    ) -> (slot: Int, isFree: Bool)? {
        var slot = Int(truncatingIfNeeded: hash &>> shift)
        for _ in 0..<Self.maximumProbes {
            let key = slots[slot]
            if key == 0 { return (slot, true) }
            if document.isKey(Int(key), name, bytes) { return (slot, false) }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return nil
    }
}
