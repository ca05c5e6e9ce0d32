import Foundation
import NetworkUtilities

/// What the header fields of a response say about the requests that the server still allows.
///
/// In the order of precedence, with names in any letter case:
///
///     RateLimit: "default";r=0;t=5                    draft-ietf-httpapi-ratelimit-headers
///     RateLimit: limit=10, remaining=0, reset=5       an older version of it
///     RateLimit-Remaining, RateLimit-Reset            the oldest versions
///     X-RateLimit-Remaining, X-RateLimit-Reset        also X-Rate-Limit-…
///     Retry-After                                     with status 429 (RFC 9110 §10.2.3)
struct RateLimitFields: Sendable, Equatable {
    /// The number of requests that the server still allows, at least 0.
    let remaining: Double

    /// How many seconds later it allows the full number again, at least 0 and at most a trillion.
    let reset: Double

    init(remaining: Double, reset: Double) {
        self.remaining = remaining
        self.reset = reset
    }

    /// Reads the fields of a response; nil if they do not say both numbers.
    init?(_ fields: ResponseFields, status: Int, now: @autoclosure () -> Date) {
        var texts: [String: String] = [:]
        for field in fields where Self.mayBeOne(field.name) {
            let name = field.name.lowercased()
            // Several lines of a list are one list (RFC 9110 §5.3).
            texts[name] = texts[name].map { "\($0), \(field.value)" } ?? field.value
        }
        guard !texts.isEmpty else { return nil }
        if let own = texts["ratelimit"].flatMap(Self.init(list:)) {
            self = own
            return
        }
        for prefix in ["ratelimit", "x-ratelimit", "x-rate-limit"] {
            guard let remaining = texts["\(prefix)-remaining"].flatMap(Self.number),
                let reset = texts["\(prefix)-reset"].flatMap({ Self.seconds($0, now()) })
            else { continue }
            self.init(remaining: remaining, reset: reset)
            return
        }
        guard status == 429, let wait = texts["retry-after"].flatMap({ Self.seconds($0, now()) }) else { return nil }
        self.init(remaining: 0, reset: wait)
    }

    /// Whether a field has one of the names, as far as its first letter tells.
    private static func mayBeOne(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count >= 9 else { return false }
        return first | 0x20 == UInt8(ascii: "r") || first | 0x20 == UInt8(ascii: "x")
    }

    /// Reads the list of a `RateLimit` field: of the policies that allow nothing, the one with the latest reset, else
    /// the one that allows the fewest requests.
    private init?(list: String) {
        var policies: [RateLimitFields] = []
        var (remaining, reset): (Double?, Double?)
        for item in Self.split(list[...], at: ",") {
            var policy: (remaining: Double?, reset: Double?)
            for parameter in Self.split(item, at: ";") {
                let parts = parameter.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, let value = Self.number(parts[1]) else { continue }
                switch parts[0].trimmingCharacters(in: .whitespaces) {
                case "r": policy.remaining = value
                case "t": policy.reset = value
                case "remaining": remaining = value
                case "reset": reset = value
                default: break
                }
            }
            if let remaining = policy.remaining, let reset = policy.reset {
                policies.append(RateLimitFields(remaining: remaining, reset: reset))
            }
        }
        if let remaining, let reset { policies.append(RateLimitFields(remaining: remaining, reset: reset)) }
        let tightest = policies.min { one, other in
            one.remaining == other.remaining ? one.reset > other.reset : one.remaining < other.remaining
        }
        guard let tightest else { return nil }
        self = tightest
    }

    /// Splits a text at a separator outside of strings (RFC 9651 §4.2.5).
    private static func split(_ text: Substring, at separator: Character) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return text.split { character in
            defer { isEscaped = isQuoted && character == "\\" && !isEscaped }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }

    /// Reads a decimal number, from 0 to a trillion; a negative one counts as 0.
    private static func number(_ text: some StringProtocol) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        // `Double` reads `inf`, `nan` and hexadecimal numbers, too.
        guard text.utf8.count - digits.count <= 1, let first = digits.first, 0x30...0x39 ~= first,
            digits.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }), let number = Double(text)
        else { return nil }
        return min(max(0, number), 1e12)
    }

    /// Reads a time: seconds from now, seconds since 1970 if there are as many as at the beginning of 2024, or a date.
    private static func seconds(_ text: String, _ now: Date) -> Double? {
        guard let number = number(text) else {
            return HTTPDate.date(from: text, now: now).map { max(0, $0.timeIntervalSince(now)) }
        }
        return number < 1_704_067_200 ? number : max(0, number - now.timeIntervalSince1970)
    }
}
