/// Reads what a server sends over a WebSocket: bytes in, messages and control frames out (RFC 6455 §5); without I/O.
///
/// Bytes may be split anywhere. After a Close or a broken rule, further bytes are ignored (§5.5.1, §7.1.7).
struct WebSocketReader {
    /// A message, whose fragments are joined, or a control frame.
    enum Event: Hashable {
        case message(WebSocketMessage)
        case ping(Data)
        case pong(Data)
        /// The code is ``WebSocketCloseCode/noStatus`` if the frame has none (§7.1.5).
        case close(WebSocketCloseCode, reason: String)
    }

    /// A rule that the server has broken, and the code with which the client closes (§7.1.7).
    struct Violation: Error, Hashable {
        let code: WebSocketCloseCode
        let rule: String

        init(_ rule: String, code: WebSocketCloseCode = .protocolError) {
            (self.rule, self.code) = (rule, code)
        }

        var error: TransportError {
            TransportError(.malformedResponse, detail: "the server broke a rule: \(rule)")
        }
    }

    private enum Phase {
        case head, payload, over
    }

    private struct Frame {
        let opcode: WebSocketFrame.Opcode
        let isFinal: Bool
        /// The number of bytes of the payload that are still to come.
        var remaining: Int
    }

    private let messageLimit: Int
    private var phase = Phase.head
    /// The first bytes of a head that is not complete.
    private var head: [UInt8] = []
    private var frame = Frame(opcode: .continuation, isFinal: true, remaining: 0)
    /// The kind of the message whose fragments arrive; nil between messages.
    private var kind: WebSocketFrame.Opcode?
    private var message = Data()
    private var control = Data()
    private var text = UTF8Check()

    /// Creates a reader of messages that have at most so many bytes.
    init(messageLimit: Int) {
        self.messageLimit = max(0, messageLimit)
    }

    /// Whether a Close was read, or a rule was broken.
    var isOver: Bool { phase == .over }

    /// Reads bytes, and passes on what they complete, in their order.
    ///
    /// - Throws: The first rule that the server has broken; what came before it was passed on.
    mutating func read(_ bytes: UnsafeRawBufferPointer, _ handle: (Event) -> Void) throws(Violation) {
        var rest = bytes[...]
        do throws(Violation) {
            while phase != .over {
                if phase == .head {
                    guard try readHead(&rest) else { return }
                }
                let portion = rest.prefix(frame.remaining)
                rest = rest.dropFirst(portion.count)
                frame.remaining -= portion.count
                if frame.opcode.isControl {
                    control += portion
                } else {
                    try readData(UnsafeRawBufferPointer(rebasing: portion), handle)
                }
                guard frame.remaining == 0 else { return }
                phase = .head
                if frame.opcode.isControl { try endControl(handle) }
            }
        } catch {
            phase = .over
            throw error
        }
    }

    // MARK: - Heads (§5.2)

    /// Reads the head of a frame; returns false if it is not complete.
    private mutating func readHead(_ rest: inout Slice<UnsafeRawBufferPointer>) throws(Violation) -> Bool {
        if head.isEmpty, let (frame, length) = try frame(rest) {
            rest = rest.dropFirst(length)
            return begin(frame)
        }
        while let byte = rest.popFirst() {
            head.append(byte)
            guard let (frame, _) = try frame(head) else { continue }
            head.removeAll(keepingCapacity: true)
            return begin(frame)
        }
        return false
    }

    private mutating func begin(_ frame: Frame) -> Bool {
        if frame.opcode == .text || frame.opcode == .binary { kind = frame.opcode }
        self.frame = frame
        phase = .payload
        return true
    }

    /// Returns the frame that begins with some bytes, and the length of its head; nil if there are too few bytes.
    private func frame(_ bytes: some RandomAccessCollection<UInt8>) throws(Violation) -> (frame: Frame, length: Int)? {
        guard bytes.count >= 2, let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
        guard first & 0x70 == 0 else { throw Violation("a reserved bit is set") }
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else {
            throw Violation("an opcode is unknown")
        }
        guard second & 0x80 == 0 else { throw Violation("a frame of the server is masked") }
        let (isFinal, short) = (first & 0x80 != 0, second & 0x7F)
        if opcode.isControl {
            guard isFinal else { throw Violation("a control frame is fragmented") }
            guard short <= 125 else { throw Violation("a control frame is longer than 125 bytes") }
        } else if opcode == .continuation {
            guard kind != nil else { throw Violation("a continuation has no message") }
        } else {
            guard kind == nil else { throw Violation("a message begins within another one") }
        }
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        guard bytes.count >= 2 + extra else { return nil }
        let stated = bytes.dropFirst(2).prefix(extra).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard stated >> 63 == 0 else { throw Violation("the length of a frame has 64 bits") }
        guard extra == 0 || stated >= (extra == 2 ? 126 : 1 << 16) else {
            throw Violation("the length of a frame is not in its shortest form")
        }
        let length = extra == 0 ? UInt64(short) : stated
        guard opcode.isControl || length <= UInt64(messageLimit - message.count) else {
            throw Violation("a message is longer than \(messageLimit) bytes", code: .messageTooBig)
        }
        return (Frame(opcode: opcode, isFinal: isFinal, remaining: Int(length)), 2 + extra)
    }

    // MARK: - Payloads

    private mutating func readData(
        _ portion: UnsafeRawBufferPointer,
        _ handle: (Event) -> Void
    ) throws(Violation) {
        if kind == .text, !text.add(portion) { throw Self.invalidText }
        let isEnd = frame.isFinal && frame.remaining == 0
        // The usual message is in one frame and one portion, and is copied once.
        let isWhole = isEnd && message.isEmpty
        if !isWhole { message.append(contentsOf: portion) }
        guard isEnd else { return }
        guard text.isComplete else { throw Self.invalidText }
        if kind == .text {
            handle(
                .message(
                    .text(isWhole ? String(decoding: portion, as: UTF8.self) : String(decoding: message, as: UTF8.self))
                )
            )
        } else {
            handle(.message(.binary(isWhole ? Data(portion) : message)))
        }
        (kind, message) = (nil, Data())
    }

    private static let invalidText = Violation("a text is not UTF-8", code: .invalidPayload)

    /// Ends a control frame (§5.5), which may stand between the fragments of a message (§5.4).
    private mutating func endControl(_ handle: (Event) -> Void) throws(Violation) {
        let payload = control
        control = Data()
        switch frame.opcode {
        case .ping: handle(.ping(payload))
        case .pong: handle(.pong(payload))
        default:
            phase = .over
            let (code, reason) = try Self.closing(payload)
            handle(.close(code, reason: reason))
        }
    }

    /// Reads the payload of a Close (§5.5.1).
    private static func closing(_ payload: Data) throws(Violation) -> (WebSocketCloseCode, String) {
        guard payload.count != 1 else { throw Violation("a Close has half a code") }
        guard payload.count > 1 else { return (.noStatus, "") }
        let code = WebSocketCloseCode(rawValue: payload.prefix(2).reduce(0) { $0 << 8 | UInt16($1) })
        guard code.isSendable else { throw Violation("a Close has the code \(code.rawValue)") }
        let reason = payload.dropFirst(2)
        var check = UTF8Check()
        guard reason.withUnsafeBytes({ check.add($0) }), check.isComplete else {
            throw Violation("the reason of a Close is not UTF-8", code: .invalidPayload)
        }
        return (code, String(decoding: reason, as: UTF8.self))
    }
}

/// Checks the UTF-8 of a text that arrives in portions (RFC 3629 §4).
struct UTF8Check {
    /// The number of bytes that the last character still needs, and the range of the first of them.
    private var needed = 0
    private var (low, high): (UInt8, UInt8) = (0x80, 0xBF)

    /// Whether the text does not end within a character.
    var isComplete: Bool { needed == 0 }

    /// Adds bytes, and returns whether they can be part of a text.
    mutating func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if needed == 0, index + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
                continue
            }
            let byte = bytes[index]
            index += 1
            if needed > 0 {
                guard (low...high).contains(byte) else { return false }
                (needed, low, high) = (needed - 1, 0x80, 0xBF)
            } else if byte >= 0x80 {
                guard begin(byte) else { return false }
            }
        }
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: needed = 1
        case 0xE0: (needed, low) = (2, 0xA0)
        case 0xED: (needed, high) = (2, 0x9F)
        case 0xE1...0xEF: needed = 2
        case 0xF0: (needed, low) = (3, 0x90)
        case 0xF1...0xF3: needed = 3
        case 0xF4: (needed, high) = (3, 0x8F)
        default: return false
        }
        return true
    }
}
