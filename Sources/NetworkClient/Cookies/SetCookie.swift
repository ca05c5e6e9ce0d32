import Foundation
import NetworkUtilities

/// One `Set-Cookie` field as clients have to read it, which is more than servers may write (RFC 6265 §5.2).
struct SetCookie: Hashable, Sendable {
    let name: String
    let value: String
    /// Without a leading dot; empty is what nil is.
    private(set) var domain: String?
    private(set) var path: String?
    /// Seconds from now, 0 or less for a cookie that is to go.
    private(set) var maxAge: Double?
    private(set) var expires: Date?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    private(set) var sameSite = Cookie.SameSite.default

    /// Nil for a field that sets nothing: without a name, with a control character, or longer than any cookie.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.contains(where: CookieGrammar.isControl) else { return nil }
        let pair = bytes.prefix { $0 != CookieGrammar.semicolon }
        guard let equals = pair.firstIndex(of: CookieGrammar.equals) else { return nil }
        let name = CookieGrammar.trimmed(pair[..<equals])
        let value = CookieGrammar.trimmed(pair[(equals + 1)...])
        guard !name.isEmpty, name.count + value.count <= Cookie.mostBytes else { return nil }
        self.name = CookieGrammar.text(name)
        self.value = CookieGrammar.text(value)
        var rest = bytes[pair.endIndex...]
        while !rest.isEmpty {
            let attribute = rest.dropFirst().prefix { $0 != CookieGrammar.semicolon }
            take(attribute)
            rest = rest[attribute.endIndex...]
        }
    }

    /// Of two attributes with one name, the later counts.
    private mutating func take(_ attribute: ArraySlice<UInt8>) {
        let name = CookieGrammar.trimmed(attribute.prefix { $0 != CookieGrammar.equals })
        let value = CookieGrammar.trimmed(attribute.drop { $0 != CookieGrammar.equals }.dropFirst())
        guard name.count <= Self.longestName, value.count <= Cookie.mostAttributeBytes else { return }
        let isNamed = { HeaderField.isSameName(CookieGrammar.text(name), $0) }
        if isNamed("Secure") {
            isSecure = true
        } else if isNamed("HttpOnly") {
            isHTTPOnly = true
        } else if isNamed("Path") {
            path = CookieGrammar.text(value)
        } else if isNamed("Domain") {
            domain = CookieGrammar.text(value.first == UInt8(ascii: ".") ? value.dropFirst() : value)
        } else if isNamed("Max-Age") {
            maxAge = Self.seconds(value) ?? maxAge
        } else if isNamed("Expires") {
            expires = CookieDate.date(from: value) ?? expires
        } else if isNamed("SameSite") {
            sameSite = Self.sameSite(CookieGrammar.text(value))
        }
    }

    /// Of the attributes that mean anything.
    private static let longestName = 8

    /// A number of any length, which is as much as a number can be; nil if it is none (RFC 6265 §5.2.2).
    private static func seconds(_ value: ArraySlice<UInt8>) -> Double? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value
        guard !digits.isEmpty, digits.allSatisfy(CookieGrammar.isDigit) else { return nil }
        guard !isNegative else { return 0 }
        return digits.reduce(0) { min($0 * 10 + Double($1 - UInt8(ascii: "0")), 1e15) }
    }

    private static func sameSite(_ value: String) -> Cookie.SameSite {
        let known: [Cookie.SameSite] = [.strict, .lax, .none]
        return known.first { HeaderField.isSameName($0.rawValue, value) } ?? .default
    }
}
