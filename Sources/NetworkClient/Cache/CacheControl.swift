/// The directives of `Cache-Control` in a request or a response (RFC 9111 §5.2), as far as a private cache knows them.
///
/// A malformed field never makes a response more reusable: a number that isn't one counts as the most restrictive, a
/// directive that forbids counts whatever its argument is, and of contradicting values the most restrictive counts
/// (§4.2.1). `private` and `no-cache` with field names count as the unqualified forms, which §5.2.2.4 and §5.2.2.7
/// allow.
struct CacheControl: Hashable, Sendable {
    private(set) var noStore = false
    private(set) var noCache = false
    private(set) var mustRevalidate = false
    private(set) var mustUnderstand = false
    private(set) var isPublic = false
    private(set) var isPrivate = false
    /// RFC 8246.
    private(set) var isImmutable = false
    private(set) var onlyIfCached = false
    /// The names of directives that allow something, and had an argument, which none of them has.
    private var malformed: Set<String> = []
    /// Seconds; nil if the directive is missing.
    private(set) var maxAge: Double?
    private(set) var minFresh: Double?
    /// Seconds; infinite for a directive without an argument.
    private(set) var maxStale: Double?
    /// RFC 5861 §3.
    private(set) var staleWhileRevalidate: Double?
    /// RFC 5861 §4.
    private(set) var staleIfError: Double?

    /// The number of seconds that stands for all larger ones (§1.2.2).
    ///
    /// A `Double`, since an `Int` has only 32 bits on some watches.
    static let longestTime = 2_147_483_648.0

    /// Reads the lines of a field in their order.
    init(_ lines: [String] = []) {
        for line in lines {
            var scanner = DirectiveScanner(line)
            while let (name, argument) = scanner.next() { add(name, argument) }
        }
    }

    /// Returns the directives of a request, of which `Pragma: no-cache` is one if it has no `Cache-Control` (§5.4).
    static func ofRequest(_ value: String?, pragma: String?) -> CacheControl {
        guard value == nil, let pragma else { return CacheControl(value.map { [$0] } ?? []) }
        let isNoCache = CacheControl([pragma]).noCache
        return isNoCache ? CacheControl(["no-cache"]) : CacheControl()
    }

    private mutating func add(_ name: String, _ argument: String?) {
        let seconds = argument.flatMap(Self.seconds)
        switch name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "private": isPrivate = true
        case "must-revalidate": mustRevalidate = true
        case "only-if-cached": onlyIfCached = true
        case "must-understand", "public", "immutable":
            if argument != nil { malformed.insert(name) }
            let isValid = !malformed.contains(name)
            if name == "public" { isPublic = isValid }
            if name == "immutable" { isImmutable = isValid }
            if name == "must-understand" { mustUnderstand = isValid }
        case "max-age": maxAge = min(maxAge ?? .infinity, seconds ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, seconds ?? Self.longestTime)
        case "max-stale": maxStale = min(maxStale ?? .infinity, argument == nil ? .infinity : seconds ?? 0)
        case "stale-while-revalidate": staleWhileRevalidate = min(staleWhileRevalidate ?? .infinity, seconds ?? 0)
        case "stale-if-error": staleIfError = min(staleIfError ?? .infinity, seconds ?? 0)
        default: break
        }
    }

    /// Returns a number of seconds (§1.2.2); nil for anything but digits.
    static func seconds(_ text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return min(text.utf8.reduce(0.0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }, longestTime)
    }
}

/// Reads the directives of one line from left to right, in linear time.
private struct DirectiveScanner {
    private let bytes: [UInt8]
    private var index = 0
    /// Whether the line has a quote that ends; without one, a quote is a character like any other.
    private var mayQuote = true

    init(_ line: String) {
        bytes = Array(line.utf8)
    }

    /// Returns the next directive, with its name in lowercase and its argument without quotes; nil at the end.
    mutating func next() -> (name: String, argument: String?)? {
        while index < bytes.count, Self.isSeparator(bytes[index]) { index += 1 }
        guard index < bytes.count else { return nil }
        // White space ends a name too, since a comma may be missing, and a name in quotes is still meant.
        let name = take { $0 == UInt8(ascii: "=") || Self.isSeparator($0) }.filter { $0 != UInt8(ascii: "\"") }
        let key = String(decoding: name, as: UTF8.self).lowercased()
        let space = take { !ASCII.isWhiteSpace($0) }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return (key, nil) }
        index += 1
        let quoted = takeQuoted()
        let rest = take { Self.isSeparator($0) }
        // White space before the argument makes it malformed.
        return (key, (space.isEmpty ? "" : " ") + (quoted ?? "") + String(decoding: rest, as: UTF8.self))
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || ASCII.isWhiteSpace(byte) }

    private mutating func take(until isEnd: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    /// Returns the content of a quoted string (RFC 9110 §5.6.4); nil if the argument isn't quoted, or has no second
    /// quote.
    private mutating func takeQuoted() -> String? {
        guard mayQuote, index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        var (end, content) = (index + 1, [UInt8]())
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            if bytes[end] == UInt8(ascii: "\\") { end += 1 }
            if end < bytes.count { content.append(bytes[end]) }
            end += 1
        }
        mayQuote = end < bytes.count
        guard mayQuote else { return nil }
        index = end + 1
        return String(decoding: content, as: UTF8.self)
    }
}
