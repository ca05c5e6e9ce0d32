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

    private enum Field {
        case data, event, id, retry
    }

    /// The maximum length of an event in bytes.
    let limit: Int
    private let keepsComments: Bool
    private let keepsBare: Bool
    /// The bytes that arrived last, and the index of those that were not read yet.
    private var chunk = Data()
    private var offset = 0
    /// A line whose end has not arrived.
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether the last line has ended with a CR, to which an LF at the start of the next chunk belongs.
    private var mayBeginWithLF = false
    private var data: [UInt8] = []
    private var hasData = false
    private var type = ""
    private var id: String
    private var hasNewID = false

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
        self.id = id
        self.limit = limit
        self.keepsComments = keepsComments
        self.keepsBare = keepsBare
    }

    /// The maximum length of an id in bytes, since it is sent back in a field; a longer one is ignored.
    private static let longestID = 1_024

    /// The error for an event that is longer than the limit.
    struct TooLong: Error {}

    /// Adds bytes after those that were read; only if ``next()`` has returned nil.
    mutating func append(_ bytes: Data) {
        (chunk, offset) = (bytes, 0)
    }

    /// Reads to the end of the next part; returns nil if more bytes are needed.
    mutating func next() throws(TooLong) -> Part? {
        let chunk = chunk
        let part = chunk.withUnsafeBytes { next(in: $0) }
        guard part != nil || line.count + data.count <= limit else { throw TooLong() }
        return part
    }

    private mutating func next(in bytes: UnsafeRawBufferPointer) -> Part? {
        if mayBeginWithLF, offset < bytes.count {
            mayBeginWithLF = false
            if bytes[offset] == UInt8(ascii: "\n") { offset += 1 }
        }
        while let end = Self.endOfLine(in: bytes, from: offset) {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
            // The line is complete at its CR: the next byte may arrive much later.
            mayBeginWithLF = bytes[end] == UInt8(ascii: "\r") && end + 1 == bytes.count
            let isPair = bytes[end] == UInt8(ascii: "\r") && !mayBeginWithLF && bytes[end + 1] == UInt8(ascii: "\n")
            offset = end + (isPair ? 2 : 1)
            if let part = part(endingWith: rest) { return part }
            guard data.count <= limit else { return nil }
        }
        line += bytes[offset...]
        offset = bytes.count
        return nil
    }

    /// Reads a line whose beginning may have come earlier.
    private mutating func part(endingWith rest: UnsafeRawBufferPointer) -> Part? {
        guard !line.isEmpty else { return part(of: rest) }
        let whole = line + rest
        line.removeAll(keepingCapacity: true)
        return whole.withUnsafeBytes { part(of: $0) }
    }

    private static func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return index }
            index += 1
        }
        return nil
    }

    private mutating func part(of whole: UnsafeRawBufferPointer) -> Part? {
        var line = whole[...]
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
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

    private mutating func dispatch() -> Part? {
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
