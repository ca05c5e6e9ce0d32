/// The place of a request in a distributed trace (W3C Trace Context, Level 1).
///
/// A server reads it from the request that it handles, and makes it the current context of the handler. Requests that
/// the handler sends with a ``TracingInterceptor`` then belong to the same trace:
///
/// ```swift
/// let context = TraceContext(
///     traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
///     tracestate: ["vendor=value"]
/// )
/// try await TraceContext.$current.withValue(context) {
///     _ = try await client.fetch(request: request)
/// }
/// ```
public struct TraceContext: Hashable, Sendable {
    /// The context of the current task; nil outside a trace.
    @TaskLocal public static var current: TraceContext?

    /// The two halves of the trace identifier, and the span; neither the identifier nor the span is zero.
    private let high: UInt64
    private let low: UInt64
    private let span: UInt64

    /// Whether the caller may have recorded the request (§3.2.2.5.1); other flags are reserved, and are dropped.
    public let isSampled: Bool

    /// The data of tracing systems, `key=value` separated by commas (§3.3); empty if there is none.
    public let tracestate: String

    /// Reads a context from the header fields of a request.
    ///
    /// Nil for an invalid `traceparent`: not in lowercase, with an identifier of zeros, version `ff`, or version `00`
    /// with more than four parts. For a later version, the first four parts are read.
    ///
    /// - Parameters:
    ///   - traceparent: The value of the field `traceparent`.
    ///   - tracestate: The values of all fields `tracestate`, in order; ignored as a whole if one member is invalid, or
    ///     there are more than 32.
    public init?(traceparent: String, tracestate: [String] = []) {
        let bytes = Array(traceparent.utf8)
        guard bytes.count >= Self.length, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = Self.number(bytes[0..<2]), version != 0xFF,
            bytes.count == Self.length || version > 0 && bytes[Self.length] == UInt8(ascii: "-"),
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]), high | low != 0,
            let span = Self.number(bytes[36..<52]), span != 0,
            let flags = Self.number(bytes[53..<55])
        else { return nil }
        self.init(high, low, span, isSampled: flags & 1 == 1, tracestate: TraceState.parse(tracestate) ?? "")
    }

    private init(_ high: UInt64, _ low: UInt64, _ span: UInt64, isSampled: Bool, tracestate: String) {
        self.high = high
        self.low = low
        self.span = span
        self.isSampled = isSampled
        self.tracestate = tracestate
    }

    /// Returns the beginning of a new trace, with random identifiers.
    public static func root(isSampled: Bool = true) -> TraceContext { root(isSampled: isSampled, random: random) }

    /// Returns the context of a request that is made in this one: the same trace and a new, random span.
    public func child() -> TraceContext { child(random: Self.random) }

    static func root(isSampled: Bool, random: () -> UInt64) -> TraceContext {
        TraceContext(random(), nonzero(random()), nonzero(random()), isSampled: isSampled, tracestate: "")
    }

    func child(random: () -> UInt64) -> TraceContext {
        TraceContext(high, low, Self.nonzero(random()), isSampled: isSampled, tracestate: tracestate)
    }

    /// Returns a random number from the system.
    static let random: @Sendable () -> UInt64 = {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    private static func nonzero(_ number: UInt64) -> UInt64 { max(1, number) }

    /// The identifier of the trace: 32 lowercase hexadecimal digits.
    public var traceID: String { text { Self.write(high, low, to: &$0) } }

    /// The identifier of the span, the parent of the receiver's work: 16 lowercase hexadecimal digits.
    public var parentID: String { text { Self.write(span, to: &$0) } }

    /// The value of the field `traceparent`, in version 00 (§3.2).
    public var traceparent: String {
        text { bytes in
            bytes += "00-".utf8
            Self.write(high, low, to: &bytes)
            bytes.append(UInt8(ascii: "-"))
            Self.write(span, to: &bytes)
            bytes += (isSampled ? "-01" : "-00").utf8
        }
    }

    /// The number of bytes of a `traceparent` in version 00.
    private static let length = 55

    private func text(_ write: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.length)
        write(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ numbers: UInt64..., to bytes: inout [UInt8]) {
        for number in numbers {
            for shift in stride(from: 60, through: 0, by: -4) {
                bytes.append(lowercaseDigits[Int(number >> UInt64(shift) & 15)])
            }
        }
    }

    private static let lowercaseDigits = Array("0123456789abcdef".utf8)

    /// Returns the number of up to 16 lowercase hexadecimal digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case 0x30...0x39: number = number << 4 | UInt64(digit - 0x30)
            case 0x61...0x66: number = number << 4 | UInt64(digit - 0x61 + 10)
            default: return nil
            }
        }
        return number
    }
}

extension TraceContext: CustomStringConvertible {
    /// The value of the field `traceparent`.
    public var description: String { traceparent }
}

/// The members of `tracestate` (W3C Trace Context §3.3.1).
private enum TraceState {
    /// Returns the members of all fields, separated by commas, without surrounding space and empty members; nil if one
    /// is invalid or there are too many.
    static func parse(_ fields: [String]) -> String? {
        var members: [Substring.UTF8View] = []
        for field in fields {
            for part in field.utf8.split(separator: UInt8(ascii: ",")) {
                let member = ASCII.trimmed(part)
                guard !member.isEmpty else { continue }
                guard members.count < 32, isMember(member) else { return nil }
                members.append(member)
            }
        }
        return members.map { String(Substring($0)) }.joined(separator: ",")
    }

    private static func isMember(_ member: Substring.UTF8View) -> Bool {
        guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return isKey(member[..<equals]) && isValue(member[member.index(after: equals)...])
    }

    /// Returns whether the bytes are a simple key, or a tenant and a system.
    private static func isKey(_ key: Substring.UTF8View) -> Bool {
        guard let at = key.firstIndex(of: UInt8(ascii: "@")) else {
            return isName(key, limit: 256, mayBeginWithDigit: false)
        }
        return isName(key[..<at], limit: 241, mayBeginWithDigit: true)
            && isName(key[key.index(after: at)...], limit: 14, mayBeginWithDigit: false)
    }

    private static func isName(_ name: Substring.UTF8View, limit: Int, mayBeginWithDigit: Bool) -> Bool {
        guard let first = name.first, name.count <= limit else { return false }
        let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte) }
        guard isLetter(first) || mayBeginWithDigit && ASCII.isDigit(first) else { return false }
        return name.allSatisfy { isLetter($0) || ASCII.isDigit($0) || "_-*/".utf8.contains($0) }
    }

    /// Returns whether the bytes are 1 to 256 printable characters without a comma or an equals sign.
    private static func isValue(_ value: Substring.UTF8View) -> Bool {
        !value.isEmpty && value.count <= 256
            && value.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }
}
