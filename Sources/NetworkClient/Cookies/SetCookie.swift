/// A `Set-Cookie` field, parsed as leniently as clients must (RFC 6265 §5.2).
struct SetCookie: Hashable, Sendable {
    let name: String
    let value: String
    /// The `Domain` attribute without its leading dot.
    ///
    /// An empty string means the same as nil.
    private(set) var domain: String?
    private(set) var path: String?
    /// The `Max-Age` attribute in seconds; 0 or less removes the cookie.
    private(set) var maxAge: Double?
    private(set) var expires: Date?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite = Cookie.SameSite.default

    /// Parses a field; nil if the field has no name, contains a control character, or is too long.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.contains(where: ASCII.isControl) else { return nil }
        var parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst(), pair.contains(UInt8(ascii: "=")) else { return nil }
        let (name, value) = Self.nameAndValue(pair)
        guard !name.isEmpty, name.count + value.count <= Cookie.maxLength else { return nil }
        self.name = String(decoding: name, as: UTF8.self)
        self.value = String(decoding: value, as: UTF8.self)
        for attribute in parts { take(attribute) }
    }

    /// Stores an attribute.
    ///
    /// If an attribute occurs twice, the later one wins.
    private mutating func take(_ attribute: ArraySlice<UInt8>) {
        let (name, value) = Self.nameAndValue(attribute)
        guard value.count <= Cookie.maxAttributeLength else { return }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: name.prefix(9).map(ASCII.lowercased), as: UTF8.self) {
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "path": path = text
        case "domain":
            domain = String(decoding: value.dropFirst(value.first == UInt8(ascii: ".") ? 1 : 0), as: UTF8.self)
        case "max-age": maxAge = Self.seconds(value) ?? maxAge
        case "expires": expires = CookieDate.date(from: value) ?? expires
        case "samesite":
            let known: [Cookie.SameSite] = [.strict, .lax, .none]
            sameSite = known.first { ASCII.isSame($0.rawValue, text) } ?? .default
        default: break
        }
    }

    private static func nameAndValue(_ pair: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>) {
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        return (ASCII.trimmed(name), ASCII.trimmed(pair[name.endIndex...].dropFirst()))
    }

    /// Returns the number of seconds, saturating at a number that no date reaches; nil if the text is not an integer
    /// (RFC 6265 §5.2.2).
    private static func seconds(_ value: ArraySlice<UInt8>) -> Double? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return isNegative ? 0 : digits.reduce(0) { min($0 * 10 + Double($1 - 0x30), 1e15) }
    }
}

extension Cookie {
    /// Creates the cookie that a response sets (RFC 6265 §5.3); nil if its server is not allowed to set it.
    init?(_ field: SetCookie, from target: CookieTarget, now: Date) {
        guard target.isSecure || !field.isSecure else { return nil }
        name = field.name
        value = field.value
        if let domain = field.domain, !domain.isEmpty {
            guard let host = CookieHost(domain), target.host.matches(host.name) else { return nil }
            // A domain that can't be shared is allowed if it is the host itself: the cookie is host-only then.
            guard host.hasNamesBelow || host == target.host else { return nil }
            self.domain = host.name
            isHostOnly = !host.hasNamesBelow
        } else {
            domain = target.host.name
            isHostOnly = true
        }
        path = field.path.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil } ?? target.defaultCookiePath
        let expires = field.maxAge.map { $0 > 0 ? now + min($0, Self.longestAge) : .distantPast } ?? field.expires
        self.expires = expires.map { min($0, now + Self.longestAge) }
        isSecure = field.isSecure
        isHTTPOnly = field.isHTTPOnly
        sameSite = field.sameSite
        guard (try? checkStorable()) != nil else { return nil }
        // `__Host-` requires an explicit `Path=/` and allows no `Domain`, also where the domain is the host itself, as
        // with an IP address (RFC 6265bis §5.7).
        let isOfItsHost = field.path == "/" && field.domain?.isEmpty != false
        guard isOfItsHost || !hasPrefix(Self.hostPrefix) else { return nil }
    }

    /// The longest time in seconds for which a server may set a cookie, 400 days (RFC 6265bis §5.5).
    private static var longestAge: Double { 400 * 86_400 }
}

/// Dates in cookies, in any of the forms that servers write (RFC 6265 §5.1.1).
struct CookieDate {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Returns the date that a text specifies; nil if a part is missing, or the date doesn't exist.
    static func date(from text: some Sequence<UInt8>) -> Date? {
        var parts = CookieDate()
        for token in Array(text).split(whereSeparator: isDelimiter) { parts.take(token) }
        return parts.date
    }

    /// Stores a token as time, day, month or year: the first of these that is missing and whose form the token has.
    private mutating func take(_ token: ArraySlice<UInt8>) {
        if time == nil, let time = Self.time(token) {
            self.time = time
        } else if day == nil, let day = Self.number(token, 1...2) {
            self.day = day
        } else if month == nil, let month = Self.month(token) {
            self.month = month
        } else if year == nil, let year = Self.number(token, 2...4) {
            self.year = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
        }
    }

    private var date: Date? {
        guard let time, let day, let month, let year, year >= 1601 else { return nil }
        guard time.hour < 24, time.minute < 60, time.second < 60 else { return nil }
        guard let civil = CivilDate(year: year, month: month, day: day) else { return nil }
        let second = time.hour * 3600 + time.minute * 60 + time.second
        return Date(timeIntervalSince1970: Double(civil.daysSince1970) * 86_400 + Double(second))
    }

    /// Returns the time of a token like `hh:mm:ss`, ignoring what follows the seconds.
    private static func time(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let hour = number(fields[0], 1...2, isWhole: true),
            let minute = number(fields[1], 1...2, isWhole: true)
        else { return nil }
        return number(fields[2], 1...2).map { (hour, minute, $0) }
    }

    /// Returns the number at the beginning of a token; nil if it has more or fewer digits than allowed.
    private static func number(_ token: ArraySlice<UInt8>, _ digits: ClosedRange<Int>, isWhole: Bool = false) -> Int? {
        let number = token.prefix(digits.upperBound + 1).prefix(while: ASCII.isDigit)
        guard digits.contains(number.count), !isWhole || number.count == token.count else { return nil }
        return number.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Returns the number of the month whose name begins with the token's first three letters.
    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        let letters = token.prefix(3).map { $0 | 0x20 }
        return months.firstIndex { $0.utf8.elementsEqual(letters) }.map { $0 + 1 }
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
