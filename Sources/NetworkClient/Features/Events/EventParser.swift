/// Reads an event stream (WHATWG HTML §9.2.6) from bytes that arrive in chunks of any length.
struct EventParser {
    /// An event, or a line that counts outside of an event.
    enum Part: Equatable {
        case event(ServerSentEvent)
        /// A type without data, which is no event by the standard, as an event with empty data.
        case bare(ServerSentEvent)
        /// The id that is in force after lines without data.
        case id(String)
        /// The seconds to wait before the stream connects again.
        case retry(TimeInterval)
        case comment(String)

        /// The event, if it is one.
        var event: ServerSentEvent? {
            switch self {
            case .event(let event), .bare(let event): event
            case .id, .retry, .comment: nil
            }
        }

        /// Whether the part is more than a sign that the server is there.
        var endsSilence: Bool {
            if case .event(let event) = self { event.type != "ping" } else { false }
        }
    }

    /// The maximum length of an event in bytes.
    let limit: Int
    private var lines = LineSplitter()
    private var draft: Draft

    /// Creates a parser for the stream after an event with an id.
    ///
    /// - Parameters:
    ///   - id: The id of the last event; empty for a new stream.
    ///   - limit: The maximum length of an event in bytes.
    ///   - keepsComments: Whether comments are parts.
    ///   - keepsBare: Whether a type without data is a part.
    init(
        after id: String = "",
        limit: Int = Reconnection.standard.eventLimit,
        keepsComments: Bool = false,
        keepsBare: Bool = false
    ) {
        self.limit = limit
        draft = Draft(keepsComments: keepsComments, keepsBare: keepsBare, id: id)
    }

    /// The error for an event that is longer than the limit.
    struct TooLong: Error {}

    /// Adds bytes after those that were read; only if ``next()`` has returned nil.
    mutating func append(_ bytes: Data) { lines.append(bytes) }

    /// Reads to the end of the next part; returns nil if more bytes are needed.
    mutating func next() throws(TooLong) -> Part? {
        while let part = lines.next({ draft.part(of: $0) }) {
            if let part { return part }
            guard draft.count <= limit else { throw TooLong() }
        }
        guard lines.pendingCount + draft.count <= limit else { throw TooLong() }
        return nil
    }
}

/// The event whose end has not arrived.
private struct Draft {
    private enum Field {
        case data, event, id, retry
    }

    /// The maximum length of an id in bytes, since it is sent back in a field; a longer one is ignored.
    private static let longestID = 1_024

    let keepsComments: Bool
    let keepsBare: Bool
    var id: String
    private var data: [UInt8] = []
    private var hasData = false
    private var type = ""
    private var hasNewID = false

    init(keepsComments: Bool, keepsBare: Bool, id: String) {
        (self.keepsComments, self.keepsBare, self.id) = (keepsComments, keepsBare, id)
    }

    /// The number of bytes of its data.
    var count: Int { data.count }

    /// Adds a line; returns the part that it completes.
    mutating func part(of whole: UnsafeRawBufferPointer) -> EventParser.Part? {
        let line = whole[...]
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = colon.map { line[($0 + 1)...] } ?? line[line.endIndex...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        if colon == line.startIndex {
            return keepsComments ? .comment(String(decoding: value, as: UTF8.self)) : nil
        }
        switch Self.field(line[..<(colon ?? line.endIndex)]) {
        case .data:
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data += value
        case .event:
            type = String(decoding: value, as: UTF8.self)
        case .id:
            guard !value.contains(0), value.count <= Self.longestID else { break }
            id = String(decoding: value, as: UTF8.self)
            hasNewID = true
        case .retry:
            guard !value.isEmpty, value.allSatisfy(ASCII.isDigit) else { break }
            let milliseconds = value.reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
            return .retry(milliseconds / 1_000)
        case nil:
            break
        }
        return nil
    }

    private static func field(_ name: Slice<UnsafeRawBufferPointer>) -> Field? {
        switch name.count {
        case 2: name.elementsEqual("id".utf8) ? .id : nil
        case 4: name.elementsEqual("data".utf8) ? .data : nil
        case 5: name.elementsEqual("event".utf8) ? .event : name.elementsEqual("retry".utf8) ? .retry : nil
        default: nil
        }
    }

    private mutating func dispatch() -> EventParser.Part? {
        defer {
            data.removeAll(keepingCapacity: true)
            type = ""
            (hasData, hasNewID) = (false, false)
        }
        guard hasData || keepsBare && !type.isEmpty else { return hasNewID ? .id(id) : nil }
        let text = String(decoding: data, as: UTF8.self)
        let event = ServerSentEvent(type: type.isEmpty ? "message" : type, data: text, id: id)
        return hasData ? .event(event) : .bare(event)
    }
}
