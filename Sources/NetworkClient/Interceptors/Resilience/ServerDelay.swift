/// The time that a server asks its clients to wait before they send the next request.
///
/// `Retry-After` (RFC 9110 §10.2.3) holds seconds or a date. Some servers also send the delay in milliseconds:
/// `retry-after-ms` (OpenAI, Azure), `x-ms-retry-after-ms` (Azure) and `x-amz-retry-after` (AWS, whose SDKs read
/// milliseconds). Servers with a quota also specify when it is full again: in `RateLimit`, in the forms of two versions
/// of its draft, in `RateLimit-Reset` of an older version, and in several fields that begin with `X-`. Servers send
/// these fields with every response, so they apply only if nothing is left of the quota.
struct ServerDelay {
    private let fields: ResponseFields
    private let now: Date
    /// Whether the response was refused because there are too many requests.
    private let isRefused: Bool

    private init(_ response: HTTPURLResponse, _ now: Date) {
        fields = response.receivedFields
        self.now = now
        isRefused = response.statusCode == 429 || response.statusCode == 503
    }

    /// Returns the seconds, 0 or more and perhaps infinite; nil if the server does not ask for a wait.
    ///
    /// A date is compared with the `Date` of the response, since the clocks of client and server may differ. Without a
    /// `Date`, and with one that is more than a day off the calendar, it is compared with the calendar.
    static func seconds(in response: HTTPURLResponse, on time: any TimeSource) -> TimeInterval? {
        guard !response.hasStoredFields else { return nil }
        let delay = ServerDelay(response, time.date)
        if let seconds = delay.untilRetry { return seconds }
        guard delay.isRefused else { return nil }
        return delay.seconds(named: "X-RateLimit-Retry-After") ?? delay.untilReset
    }

    /// Returns the seconds until the server accepts the next request, after a response of any status; nil if it accepts
    /// one now, or does not say.
    static func untilNextRequest(after response: HTTPURLResponse, on time: any TimeSource) -> TimeInterval? {
        guard !response.hasStoredFields, response.statusCode == 429 || response.hasLimitField else { return nil }
        let delay = ServerDelay(response, time.date)
        if response.statusCode == 429, let seconds = delay.untilRetry { return seconds }
        return delay.untilReset
    }

    /// The delay in seconds: from a field in milliseconds, which is more precise, or from `Retry-After`.
    private var untilRetry: TimeInterval? {
        for name in ["retry-after-ms", "x-ms-retry-after-ms", "x-amz-retry-after"] {
            let parts = fields.values(named: name).flatMap(Self.parts)
            if let longest = parts.compactMap(Self.number).max() { return longest / 1_000 }
        }
        return seconds(named: "Retry-After")
    }

    /// The time until the quota is full again; nil if it is unknown, or if some of the quota is left.
    private var untilReset: TimeInterval? {
        if let seconds = fields["RateLimit"].flatMap(seconds(ofRateLimit:)) { return seconds }
        for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
            guard let seconds = seconds(named: prefix + "Reset") else { continue }
            return isUsedUp(fields[prefix + "Remaining"]) ? seconds : nil
        }
        return nil
    }

    /// Returns the longest of the waits in the fields of one name.
    private func seconds(named name: String) -> TimeInterval? {
        lazy var start = origin
        return fields.values(named: name).compactMap { text in
            seconds(of: text, since: start) ?? Self.members(of: text).compactMap { seconds(of: $0, since: start) }.max()
        }.max()
    }

    /// Returns the values in a text that may join several, even if they contain commas, such as a date.
    private static func members(of text: String) -> [String] {
        let parts = parts(text)
        return parts + zip(parts, parts.dropFirst()).map { "\($0),\($1)" }
    }

    private static func parts(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

    /// Reads a number of seconds, a Unix time in seconds or milliseconds, or a date in one of the three forms of
    /// RFC 9110 §5.6.7.
    private func seconds(of text: String, since origin: @autoclosure () -> Date) -> TimeInterval? {
        if let number = Self.number(text) {
            guard number >= Self.minUnixTime else { return number }
            let moment = number < Self.minMilliseconds ? number : number / 1_000
            return max(0, moment - origin().timeIntervalSince1970)
        }
        return HTTPDate.date(from: text, now: now).map { max(0, $0.timeIntervalSince(origin())) }
    }

    /// The moment at which the server sent the response.
    private var origin: Date {
        let date = fields.values(named: "Date").first.flatMap { HTTPDate.date(from: $0, now: now) }
        // A server whose clock was never set sends a date of 1970.
        guard let date, abs(date.timeIntervalSince(now)) <= 86_400 else { return now }
        return date
    }

    /// 2024-01-01: a smaller number can't be a time in the future, so it is a number of seconds.
    private static let minUnixTime: TimeInterval = 1_704_067_200

    /// The year 5138 in seconds, or 1973 in milliseconds: a number from here on must be in milliseconds.
    private static let minMilliseconds = 1e11

    /// Reads the list `"policy";r=0;t=30, …`, where a policy with nothing left counts, or the older dictionary
    /// `limit=100, remaining=0, reset=30`.
    private func seconds(ofRateLimit text: String) -> TimeInterval? {
        var waits: [TimeInterval] = []
        var dictionary: [Substring: String] = [:]
        for member in QuotedString.split(text[...], at: ",") {
            var parameters: [Substring: String] = [:]
            for part in QuotedString.split(member, at: ";") {
                let pair = QuotedString.split(part, at: "=")
                guard pair.count == 2 else { continue }
                parameters[Self.trimmed(pair[0])] = String(pair[1])
            }
            dictionary.merge(parameters) { first, _ in first }
            if let seconds = parameters["t"].flatMap(Self.number), isUsedUp(parameters["r"]) { waits.append(seconds) }
        }
        if let seconds = dictionary["reset"].flatMap(Self.number), isUsedUp(dictionary["remaining"]) {
            waits.append(seconds)
        }
        return waits.max()
    }

    /// Returns whether nothing is left of a quota; for a refused request, this is assumed if the server does not say.
    private func isUsedUp(_ remaining: String?) -> Bool {
        remaining.flatMap(Self.number).map { $0 < 1 } ?? isRefused
    }

    /// Reads a decimal number without a sign; a number with too many digits is infinite.
    private static func number(_ text: String) -> Double? {
        let bytes = ASCII.trimmed(text.utf8)
        let isDecimal = bytes.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard let first = bytes.first, ASCII.isDigit(first), isDecimal else { return nil }
        return Double(Substring(bytes))
    }

    private static func trimmed(_ text: Substring) -> Substring { Substring(ASCII.trimmed(text.utf8)) }
}

extension HTTPURLResponse {
    /// Whether any field may be about a rate limit, by its name; cheaper than reading the fields of every response.
    fileprivate var hasLimitField: Bool {
        if let fields = (self as? ReceivedResponse)?.knownFields { return fields.contains { Self.isOfLimit($0.name) } }
        return allHeaderFields.keys.contains { ($0.base as? String).map(Self.isOfLimit) == true }
    }

    /// Returns whether a name contains `limit` in any letter case; the shortest is `RateLimit`.
    private static func isOfLimit(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in
            guard bytes.count >= 9 else { return false }
            return (0...(bytes.count - 5)).contains { start in
                zip(bytes[start...], "limit".utf8).allSatisfy { $0 | 0x20 == $1 }
            }
        }
    }
}
