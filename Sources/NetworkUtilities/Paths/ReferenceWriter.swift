/// Writes a path, with the query and the fragment that it may have, behind the bytes of a base URL.
///
/// It looks at each segment when it is complete, since a value can be harmless alone and not together with its
/// neighbours.
struct ReferenceWriter {
    /// What is wrong, and with which piece of the path.
    struct Violation: Error {
        enum Kind {
            case emptySegment
            case dotSegment
        }

        let kind: Kind
        let piece: Int?
    }

    /// What a text that has its escapes already stands for.
    enum Role: Hashable {
        /// What the programmer wrote.
        case literal
        /// The text of a `URL`, whose bytes are appended unchanged.
        case url
        /// A segment, or a part of one: it cannot be empty alone.
        case segment
        /// Segments, each behind its slash: none of them can be empty.
        case segments
        /// What may be missing, such as a query.
        case other
    }

    private enum Component {
        case path
        case query
        case fragment
    }

    private(set) var bytes: [UInt8]
    /// What stood behind the path of the base URL.
    private let query: [UInt8]?
    private let fragment: [UInt8]?

    private var component = Component.path
    private var segmentStart: Int
    /// The last value in the segment that is being written, or the one whose slash began it.
    private var valueInSegment: Int?
    /// The same before the piece that is being appended, or the last expression in the segment that became nothing.
    private var valueBeforePiece: Int?
    /// Whether the segment that is being written must not be empty, because a value stands in it.
    private var mustHaveText = false
    private var isAtStart = true
    /// Whether the query of the base URL has been written, and nothing of the path's own yet.
    private var isBehindBaseQuery = false

    /// Begins behind the path of a base URL, or right at its end if nothing but a query or a fragment follows.
    init(base: String, capacity: Int, addsPath: Bool = true) {
        var base = base
        (bytes, query, fragment) = base.withUTF8 { text in
            let hash = text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
            let mark = text[..<hash].firstIndex(of: UInt8(ascii: "?")) ?? hash
            var bytes: [UInt8] = []
            bytes.reserveCapacity(mark + capacity + 1)
            bytes.append(contentsOf: text[..<mark])
            let query = mark < hash ? Array(text[(mark + 1)..<hash]) : nil
            return (bytes, query, hash < text.endIndex ? Array(text[(hash + 1)...]) : nil)
        }
        if addsPath, bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
        segmentStart = bytes.count
    }

    /// Appends a text that says where segments, query and fragment begin; what may not stand in a URL is escaped.
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

    /// Appends a value, which stays within its segment.
    mutating func append(value: String, piece: Int) {
        isAtStart = false
        valueInSegment = piece
        mustHaveText = true
        divideQueries()
        let encoding: PercentEncoding = component == .path ? .segment : .query
        encoding.append(value, to: &bytes)
    }

    /// Ends the last segment, and adds what the base URL had behind its path.
    mutating func finish() throws(Violation) {
        if component == .path {
            try endSegment()
            if let query { appendQuery(query) }
        }
        if component != .fragment, let fragment {
            bytes.append(UInt8(ascii: "#"))
            bytes += fragment
        }
    }

    private mutating func beginQuery() throws(Violation) {
        try endSegment()
        component = .query
        appendQuery(query ?? [])
        isBehindBaseQuery = query?.isEmpty == false
    }

    private mutating func beginFragment() throws(Violation) {
        if component == .path {
            try endSegment()
            if let query { appendQuery(query) }
        }
        component = .fragment
        isBehindBaseQuery = false
        bytes.append(UInt8(ascii: "#"))
    }

    /// Puts an `&` between the query of the base URL and that of the path, if the latter has a byte at all.
    private mutating func divideQueries() {
        guard isBehindBaseQuery else { return }
        bytes.append(UInt8(ascii: "&"))
        isBehindBaseQuery = false
    }

    private mutating func appendQuery(_ query: [UInt8]) {
        bytes.append(UInt8(ascii: "?"))
        bytes += query
    }

    /// Ends a segment with a slash, behind which the next one begins.
    ///
    /// A value that ends in a slash, or is empty, and a slash of the next piece would make an empty segment that nobody
    /// wrote; both slashes in one piece were meant.
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

    /// Whether a segment is one or two dots, each of them escaped or not.
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
