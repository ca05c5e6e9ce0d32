/// Reads an event stream (WHATWG HTML §9.2.6) from bytes that arrive in chunks of any length.
struct EventParser {
    /// What the bytes mean.
    enum Part: Equatable {
        case event(ServerSentEvent)
        /// The id that is in force after lines without data.
        case id(String)
        /// The seconds to wait before the stream connects again.
        case retry(TimeInterval)
        case comment(String)
    }

    private enum Field {
        case data, event, id, retry
    }

    /// The maximum length of an event in bytes.
    let limit: Int
    private let keepsComments: Bool
    /// What was read and not taken yet, from an index on.
    private var parts: [Part] = []
    private var taken = 0
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
    ///   - id: The id that is in force; empty if there is none.
    ///   - limit: The maximum length of an event in bytes.
    ///   - keepsComments: Whether comments are parts.
    init(after id: String = "", limit: Int = Reconnection.standard.eventLimit, keepsComments: Bool = false) {
        self.id = id
        self.limit = limit
        self.keepsComments = keepsComments
    }

    /// Returns the next part; nil if more bytes are needed.
    mutating func take() -> Part? {
        guard taken < parts.count else {
            parts.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        defer { taken += 1 }
        return parts[taken]
    }

    /// Reads the next bytes; returns false if an event is longer than the limit.
    mutating func read(_ chunk: Data) -> Bool {
        chunk.withUnsafeBytes { read($0) }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        if mayBeginWithLF, let first = bytes.first {
            mayBeginWithLF = false
            if first == UInt8(ascii: "\n") { start = 1 }
        }
        while let end = Self.endOfLine(in: bytes, from: start) {
            if line.isEmpty {
                take(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            } else {
                line += bytes[start..<end]
                let whole = line
                line.removeAll(keepingCapacity: true)
                whole.withUnsafeBytes { take($0) }
            }
            guard data.count <= limit else { return false }
            start = end + 1
            if bytes[end] == UInt8(ascii: "\r") {
                // The line is complete at its CR: the next byte may arrive much later.
                mayBeginWithLF = start == bytes.count
                if !mayBeginWithLF, bytes[start] == UInt8(ascii: "\n") { start += 1 }
            }
        }
        line += bytes[start...]
        return line.count + data.count <= limit
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

    private mutating func take(_ whole: UnsafeRawBufferPointer) {
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
            if keepsComments { parts.append(.comment(String(decoding: value, as: UTF8.self))) }
            return
        }
        guard let field = Self.field(line[..<(colon ?? line.endIndex)]) else { return }
        switch field {
        case .data:
            if hasData { data.append(UInt8(ascii: "\n")) }
            hasData = true
            data += value
        case .event:
            type = String(decoding: value, as: UTF8.self)
        case .id:
            guard !value.contains(0) else { return }
            id = String(decoding: value, as: UTF8.self)
            hasNewID = true
        case .retry:
            guard !value.isEmpty, value.allSatisfy(ASCII.isDigit) else { return }
            let milliseconds = value.reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
            parts.append(.retry(milliseconds / 1_000))
        }
    }

    private static func field(_ name: Slice<UnsafeRawBufferPointer>) -> Field? {
        switch name.count {
        case 2: name.elementsEqual("id".utf8) ? .id : nil
        case 4: name.elementsEqual("data".utf8) ? .data : nil
        case 5: name.elementsEqual("event".utf8) ? .event : name.elementsEqual("retry".utf8) ? .retry : nil
        default: nil
        }
    }

    private mutating func dispatch() {
        if hasData {
            let text = String(decoding: data, as: UTF8.self)
            parts.append(.event(ServerSentEvent(type: type.isEmpty ? "message" : type, data: text, id: id)))
        } else if hasNewID {
            parts.append(.id(id))
        }
        data.removeAll(keepingCapacity: true)
        type = ""
        (hasData, hasNewID) = (false, false)
    }
}
