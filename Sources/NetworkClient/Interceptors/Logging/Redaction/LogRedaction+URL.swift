public import Foundation
import NetworkUtilities

extension LogRedaction {
    /// A URL as it may be shown: without user, password and fragment, and with hidden query values.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The text.
    public func text(of url: URL) -> String {
        let whole = url.absoluteString
        guard !showsEverything else { return whole }
        // A fragment is never sent, and tokens travel in it (RFC 6749 §4.2.2).
        let text = whole.prefix { $0 != "#" }
        let place = maskedText(String(text.prefix { $0 != "?" }))
        guard let mark = text.firstIndex(of: "?") else { return place }
        return "\(place)?\(maskedQuery(text[text.index(after: mark)...]))"
    }

    /// A query, or the body of a form, with hidden values and every other byte as it is.
    func maskedQuery(_ query: some StringProtocol) -> String {
        guard !showsEverything else { return String(query) }
        var query = String(query)
        if query.utf8.contains(where: { "\"<{".utf8.contains($0) }) {
            // What is not escaped may be JSON or XML, with `&` and `=` in its values.
            query = String(maskedText("?" + query).dropFirst())
        }
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item -> String in
            guard let equals = item.firstIndex(of: "=") else {
                return hidesUnnamed && !item.isEmpty || holdsSecret(item) ? Self.maskText : String(item)
            }
            let name = item[..<equals]
            guard !holdsSecret(name) else { return Self.maskText }
            let isHidden = hides(field: Self.decoded(name)) || holdsSecret(item[item.index(after: equals)...])
            return isHidden ? "\(name)=\(Self.maskText)" : String(item)
        }
        return items.joined(separator: "&")
    }

    /// Whether escaped text is a URL, JSON, or anything else with something to hide in it.
    private func holdsSecret(_ text: some StringProtocol) -> Bool {
        let text = Self.decoded(text)
        return maskedValue(text) != text
    }

    /// What escaped text says; escapes that are none stay as they are.
    static func decoded(_ text: some StringProtocol) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = digit(source[index + 1]), let low = digit(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index] == UInt8(ascii: "+") ? 0x20 : source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
