extension HeaderField {
    /// `Accept`: the preferred media type of the response (RFC 9110 §12.5.1).
    public static func accept(type: MediaType) -> HeaderField {
        HeaderField(known: "Accept", type.value)
    }

    /// `Accept`: the acceptable media types of the response (RFC 9110 §12.5.1).
    ///
    /// `.accept(types: [.json, .xml.weighted(0.8)])` is `Accept: application/json, application/xml;q=0.8`.
    ///
    /// Without types, the field is left out.
    public static func accept(types: [MediaType]) -> HeaderField {
        HeaderField(known: "Accept", list(types.map(\.value)))
    }

    /// `Content-Type`: the media type of the body (RFC 9110 §8.3).
    ///
    /// Replaces the one that a body step sets.
    public static func content(type: MediaType) -> HeaderField {
        HeaderField(known: "Content-Type", type.value)
    }

    /// `Accept-Language`: the preferred languages of the response, such as `el-GR, en;q=0.5` (RFC 9110 §12.5.4).
    public static func language(value: String) -> HeaderField {
        HeaderField(known: "Accept-Language", value)
    }

    /// `Accept-Language`: the preferred languages of the response (RFC 9110 §12.5.4), each weighted 0.1 below the one
    /// before, but not below 0.1.
    ///
    /// `.languages(["el-GR", "en", "*"])` is `Accept-Language: el-GR, en;q=0.9, *;q=0.8`.
    ///
    /// Accepts `Locale.preferredLanguages`. Texts that are not a language range (RFC 4647 §2.1) are skipped; without
    /// any range, the field is left out.
    public static func languages(_ inOrderOfPreference: [String]) -> HeaderField {
        let ranges = inOrderOfPreference.filter(isLanguageRange)
        let weighted = ranges.enumerated().map { index, range in
            index == 0 ? range : "\(range);q=\(QualityValue.text(of: Double(max(1, 10 - index)) / 10))"
        }
        return HeaderField(known: "Accept-Language", list(weighted))
    }

    /// Returns whether the text is a language range (RFC 4647 §2.1): `*`, or 1 to 8 letters, followed by groups of a
    /// hyphen and 1 to 8 letters and digits.
    private static func isLanguageRange(_ text: String) -> Bool {
        if text == "*" { return true }
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isAlphanumeric = { (byte: UInt8) in ASCII.isLetter(byte) || ASCII.isDigit(byte) }
        return groups.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(isAlphanumeric) }
            && groups[0].allSatisfy(ASCII.isLetter)
    }

    /// Returns the value of a list field (RFC 9110 §5.6.1.1); nil without elements: an empty field differs from a
    /// missing one.
    static func list(_ elements: [String]) -> String? {
        let elements = elements.filter { !$0.isEmpty }
        return elements.isEmpty ? nil : elements.joined(separator: ", ")
    }

    /// `Cache-Control`: the directives for caches on the path of the request (RFC 9111 §5.2.1).
    ///
    /// The value is one or more directives, such as `no-cache` or `max-age=60, only-if-cached`.
    public static func cacheControl(value: String) -> HeaderField {
        HeaderField(known: "Cache-Control", value)
    }

    /// `Idempotency-Key`: identifies an operation, so that the server performs it once even if the request is repeated.
    ///
    /// Use a new key, such as `UUID().uuidString`, for each operation. The key is sent verbatim. The draft of the
    /// standard (draft-ietf-httpapi-idempotency-key-header) puts it in quotes; include them in the key for a server
    /// that follows the draft.
    public static func idempotencyKey(_ key: String) -> HeaderField {
        HeaderField(known: "Idempotency-Key", key)
    }
}

extension HeaderField {
    /// Creates fields from a dictionary, sorted by name; each is repaired or left out as by ``custom(name:value:)``.
    public static func fields(_ values: [String: String?]) -> [HeaderField] {
        values.sorted { $0.key < $1.key }.map { custom(name: $0.key, value: $0.value) }
    }

    /// Creates any field with a date as its value, as in `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    ///
    /// The date is sent in whole seconds. The field is left out for nil and outside the years 0001 to 9999.
    public static func custom(name: String, date: Date?) -> HeaderField {
        custom(name: name, value: date.flatMap(HTTPDate.text))
    }
}

extension HeaderField {
    /// `Authorization` with a complete value, scheme included (RFC 9110 §11.6.2).
    public static func authorisation(auth: String) -> HeaderField {
        HeaderField(known: "Authorization", auth)
    }

    /// `Authorization` with a credential, such as `.bearer("token")`.
    public static func authorization(_ credential: Credential) -> HeaderField {
        HeaderField(known: "Authorization", credential.value)
    }

    /// `Authorization` with a credential that the request requires.
    ///
    /// - Throws: ``HeaderFieldError/missingCredential`` for nil, so that the request is not sent without it.
    public static func authorization(required credential: Credential?) throws(HeaderFieldError) -> HeaderField {
        guard let credential else { throw .missingCredential }
        return authorization(credential)
    }

    /// `Authorization` with a credential; left out for nil.
    public static func authorization(optional credential: Credential?) -> HeaderField {
        HeaderField(known: "Authorization", credential?.value)
    }
}

extension HeaderField {
    /// `User-Agent` with a complete value, such as `MyApp/1.2 (iPhone)` (RFC 9110 §10.1.5).
    public static func userAgent(value: String) -> HeaderField {
        HeaderField(known: "User-Agent", value)
    }

    /// `User-Agent` with a product, its version and a comment (RFC 9110 §10.1.5): `MyApp/1.2 (iPhone)`.
    ///
    /// Characters that a product or a version must not contain become a hyphen: `My App` is sent as `My-App`. The field
    /// is left out if no character of the product is allowed. The comment needs no parentheses.
    public static func userAgent(product: String, version: String? = nil, comment: String? = nil) -> HeaderField {
        guard var value = token(from: product) else { return HeaderField(known: "User-Agent", nil) }
        if let version = version.flatMap(token) { value += "/\(version)" }
        if let comment, !comment.isEmpty { value += " \(parenthesised(comment))" }
        return HeaderField(known: "User-Agent", value)
    }

    /// Returns the text with a hyphen for each run of characters that a token must not contain, without hyphens at the
    /// ends; nil if nothing remains.
    private static func token(from text: String) -> String? {
        let parts = text.utf8.split { !HTTPToken.isTokenCharacter($0) }
        return parts.isEmpty ? nil : parts.map { String(Substring($0)) }.joined(separator: "-")
    }

    /// Returns the text as a comment (RFC 9110 §5.6.5), with a backslash before parentheses and backslashes.
    private static func parenthesised(_ text: String) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "(")]
        for byte in text.utf8 {
            if [UInt8(ascii: "("), UInt8(ascii: ")"), QuotedString.backslash].contains(byte) {
                bytes.append(QuotedString.backslash)
            }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: ")"))
        return String(decoding: bytes, as: UTF8.self)
    }
}
