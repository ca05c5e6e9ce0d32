/// Appends a path, with its query and fragment, to the bytes of a base URL (a relative reference, RFC 3986 §4.2).
///
/// Checks each segment when it is complete: values that are harmless alone, such as two `.`, can form a dot segment
/// together.
struct ReferenceWriter {
    /// The reason why the path can't be used, and the piece that causes it; nil for the literal.
    struct Violation: Error {
        enum Kind {
            case emptySegment
            case dotSegment
        }

        let kind: Kind
        let piece: Int?
    }

    /// The part of the path that a text becomes.
    enum Role: Hashable {
        /// The programmer's text.
        case literal
        /// The text of a `URL`, whose bytes are appended unchanged.
        case url
        /// A segment or a part of one; a whole segment can't be empty.
        case segment
        /// Segments with a slash before each; no segment can be empty.
        case segments
        /// A part that may be missing, such as a query.
        case other
    }

    private enum Component {
        case path
        case query
        case fragment
    }

    private(set) var bytes: [UInt8]
    /// The query of the base URL with its `?`, and the fragment with its `#`.
    private let query: [UInt8]
    private let fragment: [UInt8]

    private var component = Component.path
    private var segmentStart: Int
    /// The index of the last value in the current segment, or of the value whose slash began the segment.
    private var valueInSegment: Int?
    /// The piece to blame for an empty segment: the last value before the current piece, or an expression that expanded
    /// to nothing.
    private var valueBeforePiece: Int?
    /// Whether the current segment can't be empty, because it contains a value.
    private var mustHaveText = false
    private var isAtStart = true
    /// Whether the query of the base URL has been written, and no byte of the path's own query yet.
    private var isBehindBaseQuery = false

    /// Begins after the path of a base URL, which gets a slash at its end.
    ///
    /// `addsPath` is false if only a query or a fragment will be appended, so that the base URL gets no slash.
    init(base: String, capacity: Int, addsPath: Bool = true) {
        var base = base
        (bytes, query, fragment) = base.withUTF8 { text in
            let parts = URLParts(text)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(parts.head.count + capacity + 1)
            bytes.append(contentsOf: parts.head)
            return (bytes, Array(parts.query), Array(parts.fragment))
        }
        if addsPath, bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
        segmentStart = bytes.count
    }

    /// Appends a text in which `/`, `?` and `#` begin a segment, the query and the fragment.
    ///
    /// Escapes the characters that a URL can't contain.
    mutating func append(_ text: String, piece: Int? = nil, as role: Role = .literal) throws(Violation) {
        guard !text.isEmpty || role == .segment else {
            valueBeforePiece = piece
            return
        }
        var rest = text.utf8[...]
        let hasLeadingSlash = isAtStart && rest.first == UInt8(ascii: "/")
        if hasLeadingSlash { rest = rest.dropFirst() }
        isAtStart = false
        valueBeforePiece = valueInSegment ?? valueBeforePiece
        if let piece, text.utf8.first != UInt8(ascii: "?"), text.utf8.first != UInt8(ascii: "#") {
            valueInSegment = piece
        }
        switch role {
        case .segment where !hasLeadingSlash: mustHaveText = true
        case .segments where hasLeadingSlash: mustHaveText = true
        case .literal, .url, .segment, .segments, .other: break
        }
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "/") where component == .path:
                try beginSegment(of: piece, as: role)
            case UInt8(ascii: "?") where component == .path:
                try beginQuery()
            case UInt8(ascii: "#") where component != .fragment:
                try beginFragment()
            default:
                divideQueries()
                if role == .url {
                    bytes.append(byte)
                } else {
                    PercentEncoding.reference.append(byte, followedBy: rest, to: &bytes)
                }
            }
        }
    }

    /// Appends a value, which stays within its segment or query item.
    mutating func append(value: String, piece: Int) {
        isAtStart = false
        valueInSegment = piece
        mustHaveText = true
        divideQueries()
        let encoding: PercentEncoding = component == .path ? .segment : .query
        encoding.append(value, to: &bytes)
    }

    /// Ends the last segment, and adds the query and fragment of the base URL.
    mutating func finish() throws(Violation) {
        if component == .path {
            try endSegment()
            bytes += query
        }
        if component != .fragment { bytes += fragment }
    }

    private mutating func beginQuery() throws(Violation) {
        try endSegment()
        component = .query
        bytes += query.isEmpty ? [UInt8(ascii: "?")] : query
        isBehindBaseQuery = query.count > 1
    }

    private mutating func beginFragment() throws(Violation) {
        if component == .path {
            try endSegment()
            bytes += query
        }
        component = .fragment
        isBehindBaseQuery = false
        bytes.append(UInt8(ascii: "#"))
    }

    /// Adds an `&` between the query of the base URL and the first byte of the path's own query.
    private mutating func divideQueries() {
        guard isBehindBaseQuery else { return }
        bytes.append(UInt8(ascii: "&"))
        isBehindBaseQuery = false
    }

    /// Ends a segment with a slash, after which the next segment begins.
    ///
    /// If a value is empty or ends in a slash, a slash of the next piece would form an empty segment by accident. Two
    /// slashes in one piece are intended.
    private mutating func beginSegment(of piece: Int?, as role: Role) throws(Violation) {
        if bytes.count == segmentStart, let valueBeforePiece, valueBeforePiece != piece {
            throw Violation(kind: .emptySegment, piece: valueBeforePiece)
        }
        try endSegment()
        bytes.append(UInt8(ascii: "/"))
        segmentStart = bytes.count
        valueInSegment = piece
        valueBeforePiece = piece
        mustHaveText = role == .segments
    }

    private func endSegment() throws(Violation) {
        let segment = bytes[segmentStart...]
        if segment.isEmpty, mustHaveText { throw Violation(kind: .emptySegment, piece: valueInSegment) }
        if Self.isDots(segment) { throw Violation(kind: .dotSegment, piece: valueInSegment) }
    }

    /// Returns whether a segment consists of one or two dots, escaped or not.
    private static func isDots(_ segment: ArraySlice<UInt8>) -> Bool {
        guard (1...6).contains(segment.count) else { return false }
        var rest = segment
        var count = 0
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.popFirst() == UInt8(ascii: "2"), let last = rest.popFirst(), last | 0x20 == 0x65 else {
                    return false
                }
            } else if byte != UInt8(ascii: ".") {
                return false
            }
            count += 1
        }
        return count <= 2
    }
}
