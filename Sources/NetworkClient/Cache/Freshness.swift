/// The lifetime and the age of a response (RFC 9111 §4.2).
struct Freshness: Sendable {
    /// The number of seconds for which the response is fresh, counted from its generation; 0 for none.
    let lifetime: Double
    /// The age in seconds when the response was received (§4.2.3).
    private let initialAge: Double
    private let sent: Moment
    private let received: Moment

    /// Creates the freshness of a response, whose lifetime may be estimated if the server did not state one (§4.2.2).
    init(
        _ fields: CacheFields,
        _ control: CacheControl,
        mayEstimate: Bool,
        sent: Moment,
        received: Moment
    ) {
        let date = fields.date.flatMap { HTTPDate.date(from: $0, now: received.date) }
        let generated = date ?? received.date
        (self.sent, self.received) = (sent, received)
        let apparentAge = max(0, received.date.timeIntervalSince(generated))
        // A clock that was set back while the request was sent makes the delay infinite.
        initialAge = max(apparentAge, Self.statedAge(fields) + received.seconds(since: sent))
        lifetime =
            Self.statedLifetime(fields, control, generated, received.date)
            ?? (mayEstimate ? Self.estimate(fields, generated, received.date) : 0)
    }

    /// The age in seconds; infinite if it is unknown.
    func age(at now: Moment) -> Double { initialAge + now.seconds(since: received) }

    /// Returns whether a response was generated later than another one of the same URL, or asked for later.
    func isNewer(than other: Freshness) -> Bool {
        let (own, others) = (generated, other.generated)
        return own == others ? other.sent < sent : own > others
    }

    private var generated: Double { received.date.timeIntervalSinceReferenceDate - initialAge }

    /// Returns the lifetime from `max-age`, otherwise from `Expires`; nil if the server stated none.
    ///
    /// Whatever is not a date in `Expires` is a time in the past (§5.3), as are several lines.
    private static func statedLifetime(
        _ fields: CacheFields,
        _ control: CacheControl,
        _ generated: Date,
        _ received: Date
    ) -> Double? {
        if let maxAge = control.maxAge { return maxAge }
        guard let first = fields.expires.first else { return nil }
        guard fields.expires.count == 1, let end = HTTPDate.date(from: first, now: received) else { return 0 }
        return min(max(0, end.timeIntervalSince(generated)), CacheControl.longestTime)
    }

    /// Returns a tenth of the time since the last modification, at most a day.
    private static func estimate(_ fields: CacheFields, _ generated: Date, _ received: Date) -> Double {
        let modified = fields.lastModified.flatMap { HTTPDate.date(from: $0, now: received) }
        guard let modified else { return 0 }
        return min(max(0, generated.timeIntervalSince(modified) / 10), 86_400)
    }

    /// Returns the first number of `Age`; what isn't a number is ignored (§5.1).
    private static func statedAge(_ fields: CacheFields) -> Double {
        guard let line = fields.age else { return 0 }
        let first = ASCII.trimmed(line.utf8.prefix { $0 != UInt8(ascii: ",") })
        let seconds = CacheControl.seconds(String(decoding: first, as: UTF8.self)) ?? 0
        return seconds == CacheControl.longestTime ? .infinity : seconds
    }
}

extension Moment {
    /// Returns the seconds since an earlier moment, the larger number of both clocks; infinite if the calendar was set
    /// back, so that the age of what was received then is unknown.
    func seconds(since earlier: Moment) -> Double {
        let (onCalendar, onClock) = (date.timeIntervalSince(earlier.date), clock - earlier.clock)
        // What another call has received since this moment is not old.
        guard onClock >= 0 else { return 0 }
        return onCalendar < 0 ? .infinity : max(onCalendar, onClock)
    }

    static func < (one: Moment, other: Moment) -> Bool {
        one.clock == other.clock ? one.date < other.date : one.clock < other.clock
    }
}
