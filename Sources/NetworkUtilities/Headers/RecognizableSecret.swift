/// Values that tell by themselves that they are secret, whatever their name is.
package enum RecognizableSecret {
    /// Returns a segment of a path, or a mask if it is secret.
    package static func masked(_ segment: String) -> String {
        guard segment.utf8.count >= shortest else { return segment }
        let bytes = Array(segment.utf8)
        return find(in: bytes, bytes.indices) == nil ? segment : "***"
    }

    /// Returns the value of a header field with each secret masked: also the credential after the name of an
    /// authentication scheme (RFC 9110 §11.4), and user, password and secret query items of URLs.
    package static func maskedField(_ value: String) -> String {
        let bytes = Array(value.utf8)
        let scheme = bytes.prefix { $0 != UInt8(ascii: " ") }
        if scheme.count < bytes.count, schemes.contains(String(decoding: scheme, as: UTF8.self).lowercased()) {
            return String(decoding: scheme, as: UTF8.self) + " ***"
        }
        var (masked, position) = ([UInt8](), 0)
        while position < bytes.count {
            let end = bytes[position...].firstIndex { !isValueByte($0) } ?? bytes.count
            let secret = end > position ? find(in: bytes, position..<end) : secretOfURL(in: bytes, at: position)
            guard let secret else {
                masked.append(contentsOf: bytes[position..<min(max(end, position + 1), bytes.count)])
                position = max(end, position + 1)
                continue
            }
            masked += bytes[position..<secret.lowerBound] + Array("***".utf8)
            position = secret.upperBound
        }
        return String(decoding: masked, as: UTF8.self)
    }

    /// Returns user and password behind `//`, or the value of a secret query item behind its mark; nil for none.
    private static func secretOfURL(in bytes: [UInt8], at position: Int) -> Range<Int>? {
        let rest = bytes[(position + 1)...]
        if bytes[position] == UInt8(ascii: "/"), rest.first == UInt8(ascii: "/") {
            let authority = rest.dropFirst().prefix { !"/?#\"<> ".utf8.contains($0) }
            return authority.lastIndex(of: UInt8(ascii: "@")).map { authority.startIndex..<$0 }
        }
        guard "?&#;".utf8.contains(bytes[position]), let equals = rest.firstIndex(of: UInt8(ascii: "=")),
            SensitiveNames.contains(String(decoding: rest[..<equals], as: UTF8.self))
        else { return nil }
        let value = rest[rest.index(after: equals)...].prefix { !"&#;\"<> ".utf8.contains($0) }
        return value.isEmpty ? nil : value.startIndex..<value.endIndex
    }

    /// The names of authentication schemes in lowercase, after which a credential stands.
    package static let schemes: Set<String> = ["basic", "bearer", "digest", "dpop", "negotiate"]

    /// Returns the range of a secret that begins with a word; nil if there is none.
    ///
    /// - Parameters:
    ///   - text: The text, which may be cut at its end.
    ///   - word: The range of letters, digits, and the characters between them.
    /// - Returns: The range of the secret.
    package static func find(in text: [UInt8], _ word: Range<Int>) -> Range<Int>? {
        var start = word.lowerBound
        while start < word.upperBound {
            // A sentence may end with the value.
            let value = text[start..<word.upperBound].prefix(while: isValueByte)
            if value.starts(with: pemBegin) { return endOfPrivateKey(in: text, from: start).map { start..<$0 } }
            let isCut = value.endIndex == text.count
            if isToken(value, isCut: isCut) { return start..<value.endIndex }
            // In a JSON string, the letter of an escaped line break or tab comes before the value.
            if start > 0, text[start - 1] == UInt8(ascii: "\\"), isToken(value.dropFirst(), isCut: isCut) {
                return start + 1..<value.endIndex
            }
            start = value.endIndex + 1
        }
        return nil
    }

    private static func isToken(_ value: ArraySlice<UInt8>, isCut: Bool) -> Bool {
        guard value.count >= shortest else { return false }
        if value.starts(with: jwtBegin) {
            let dots = value.reduce(0) { $0 + ($1 == UInt8(ascii: ".") ? 1 : 0) }
            return value.count >= 30 && (dots >= 2 || isCut && dots == 1)
        }
        guard let prefix = prefixes.first(where: { value.starts(with: $0) }) else { return false }
        let rest = value.dropFirst(prefix.count)
        // The identifiers of AWS have only capital letters and digits; names rarely mix letters and digits.
        let isOfAWS = prefix.count == 4 && prefix.last == UInt8(ascii: "A")
        if isOfAWS {
            return rest.count >= 16 && rest.prefix(16).allSatisfy { ASCII.isDigit($0) || (0x41...0x5A).contains($0) }
        }
        return rest.count >= shortest && rest.contains(where: ASCII.isDigit) && rest.contains(where: ASCII.isLetter)
    }

    private static func endOfPrivateKey(in text: [UInt8], from start: Int) -> Int? {
        let head = text[start...].prefix(60)
        guard ASCII.contains(privateKey, in: Array(head)) || head.endIndex == text.count else { return nil }
        var index = start + pemBegin.count
        while index < text.count {
            if text[index...].starts(with: pemEnd) {
                index += pemEnd.count
                // Skips the label and the five hyphens after `-----END`.
                while index < text.count, text[index] != UInt8(ascii: "-") { index += 1 }
                return min(index + 5, text.count)
            }
            index += 1
        }
        return text.count
    }

    private static func isValueByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-_.".utf8.contains(byte)
    }

    /// The number of characters that a secret has after its prefix, at least.
    private static let shortest = 16

    /// `{"` in Base64, with which the header of a JSON Web Token begins (RFC 7519 §3).
    private static let jwtBegin = Array("eyJ".utf8)

    /// The beginnings that services document for their keys.
    private static let prefixes: [[UInt8]] = [
        "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_",
        "github_pat_", "glpat-", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xapp-", "AKIA", "ASIA", "AIza", "ya29.",
        "SG.", "npm_", "pypi-", "hf_", "dop_v1_", "shpat_", "shpss_", "AGE-SECRET-KEY-", "xkeysib-",
    ].map { Array($0.utf8) }

    private static let pemBegin = Array("-----BEGIN".utf8)
    private static let pemEnd = Array("-----END".utf8)
    private static let privateKey = Array("PRIVATE KEY".utf8)
}
