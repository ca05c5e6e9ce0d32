/// A frame as it is sent (RFC 9113, section 4.1).
struct HTTP2Frame: Sendable, Equatable {
    /// The types of frames that tests need; other types are ignored.
    struct Kind: RawRepresentable, Sendable, Hashable {
        let rawValue: UInt8

        static let data = Kind(rawValue: 0)
        static let headers = Kind(rawValue: 1)
        static let priority = Kind(rawValue: 2)
        static let reset = Kind(rawValue: 3)
        static let settings = Kind(rawValue: 4)
        static let ping = Kind(rawValue: 6)
        static let goAway = Kind(rawValue: 7)
        static let windowUpdate = Kind(rawValue: 8)
        static let continuation = Kind(rawValue: 9)
    }

    /// The flag for the sender's last frame in a stream.
    static let endStream: UInt8 = 0x1
    /// The same bit in SETTINGS and PING frames.
    static let acknowledgement: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4

    var kind: Kind
    var flags: UInt8
    var stream: UInt32
    var payload: [UInt8]

    init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, payload: [UInt8] = []) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    /// Removes the first frame from the bytes; nil if the frame isn't complete yet.
    init?(takenFrom bytes: inout [UInt8]) {
        guard bytes.count >= Self.headLength else { return nil }
        let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
        guard bytes.count >= Self.headLength + length else { return nil }
        let stream = bytes[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let payload = Array(bytes[Self.headLength..<Self.headLength + length])
        self.init(Kind(rawValue: bytes[3]), flags: bytes[4], stream: stream, payload: payload)
        bytes.removeFirst(Self.headLength + length)
    }

    var bytes: [UInt8] {
        let length = Array(Self.bytes(of: UInt32(payload.count)).dropFirst())
        return length + [kind.rawValue, flags] + Self.bytes(of: stream) + payload
    }

    /// The big-endian bytes of a number in a payload.
    static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static let headLength = 9
}
