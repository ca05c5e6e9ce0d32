/// A single pass over any text that masks what is known to be secret wherever it stands: each ``RecognizableSecret``,
/// the credential after an authentication scheme, user and password of a URL, query items, and the fields of JSON
/// objects, which begin with `{"` or `["`.
///
/// The time is proportional to the length of any text. If the end of a value is unclear, more is masked.
struct TextMask {
    private let source: [UInt8]
    private let redaction: LogRedaction
    /// The number of nested layers, of percent-encoding and of JSON in strings, that may still be read.
    private let layers: Int
    private var output: [UInt8] = []
    private var position = 0
    /// The end of the percent-encoded text that is known to contain no secret.
    private var checkedEnd = 0
    /// The end of the word at the position, or of an earlier one.
    private var wordEnd = 0
    /// Whether the text has the query of an OAuth authorization request or response; searched for once, so that the
    /// time stays proportional to the length of the text.
    private lazy var isInAuthorization = LogRedaction.hasAuthorization(source)

    init(_ text: String, redaction: LogRedaction, layers: Int) {
        source = Array(text.utf8)
        self.redaction = redaction
        self.layers = layers
    }

    mutating func run() -> String {
        output.reserveCapacity(source.count)
        while let byte = byte(at: position) {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["),
                self.byte(at: skip(Self.jsonSpace, from: position + 1)) == Self.quote
            {
                json()
            } else if Self.isNameByte(byte) {
                word()
            } else if byte == UInt8(ascii: "/"), let start = startOfAuthority() {
                copy(to: start)
                maskUser()
            } else {
                copy(to: position + 1)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Copies a word, and masks the value after it if the word is a scheme or the hidden name of a query item.
    private mutating func word() {
        let start = position
        if start >= wordEnd { wordEnd = source[start...].firstIndex { !Self.isNameByte($0) } ?? source.count }
        let end = wordEnd
        if let secret = RecognizableSecret.find(in: source, start..<end) {
            copy(to: secret.lowerBound)
            return mask(to: secret.upperBound)
        }
        guard !source[start..<end].contains(UInt8(ascii: "%")) || !maskEscaped() else { return }
        let before = start > 0 ? source[start - 1] : 0
        let name = String(decoding: source[start..<end], as: UTF8.self)
        copy(to: end)
        if RecognizableSecret.schemes.contains(String(name.lowercased().drop { !("a"..."z").contains($0) })) {
            maskCredential()
        } else if Self.queryMarks.contains(before), byte(at: end) == UInt8(ascii: "=") {
            let name = LogRedaction.decoded(name)
            guard redaction.hides(item: name, inAuthorization: isInAuthorization) else { return }
            copy(to: end + 1)
            mask(to: index(of: Self.queryStops, from: end + 1))
        }
    }

    /// Masks the credential after an authentication scheme, but not a plain word as in `Bearer token`.
    private mutating func maskCredential() {
        let start = skip(Self.blanks, from: position)
        guard start > position else { return }
        let end = index(of: Self.valueStops, from: start)
        let credential = source[start..<end]
        let isParameter = Self.isParameter(credential, before: byte(at: end))
        guard !isParameter, !credential.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) else { return }
        copy(to: start)
        mask(to: end)
    }

    /// Copies a JSON object or array with its fields masked; what follows an error in it is masked whole.
    private mutating func json() {
        guard layers > 0,
            let json = RedactedJSON.part(of: source, from: position, redaction: redaction, layers: layers)
        else { return mask(to: source.count) }
        output += json.text
        position = json.consumed
        if !json.isValid { mask(to: source.count) }
    }

    /// Returns the start of a URL's authority after `//`, or after `\/\/` as in some JSON; nil if there is none.
    private func startOfAuthority() -> Int? {
        let second = byte(at: position + 1) == UInt8(ascii: "\\") ? position + 2 : position + 1
        return byte(at: second) == UInt8(ascii: "/") ? second + 1 : nil
    }

    /// Masks user and password at the start of an authority.
    private mutating func maskUser() {
        let end = index(of: Self.authorityStops, from: position)
        if let at = source[position..<end].lastIndex(of: UInt8(ascii: "@")) { return mask(to: at) }
        // In a truncated text, everything except a port may be the beginning of a password.
        guard end == source.count, byte(at: position) != UInt8(ascii: "["),
            let colon = source[position..<end].firstIndex(of: UInt8(ascii: ":")),
            !source[colon..<end].dropFirst().allSatisfy(ASCII.isDigit)
        else { return }
        mask(to: end)
    }

    /// Masks percent-encoded text if it contains a secret, and returns whether it does.
    private mutating func maskEscaped() -> Bool {
        guard position >= checkedEnd else { return false }
        let end = index(of: Self.queryStops, from: position)
        checkedEnd = end
        let escaped = String(decoding: source[position..<end], as: UTF8.self)
        let text = LogRedaction.decoded(escaped)
        guard text != escaped, layers <= 0 || redaction.maskedText(text, layers: layers - 1) != text else {
            return false
        }
        mask(to: end)
        return true
    }

    private mutating func copy(to end: Int) {
        let end = min(end, source.count)
        guard end > position else { return }
        output += source[position..<end]
        position = end
    }

    private mutating func mask(to end: Int) {
        guard end > position else { return }
        output += LogRedaction.maskText.utf8
        position = end
    }

    private func byte(at index: Int) -> UInt8? { index < source.count ? source[index] : nil }

    private func skip(_ bytes: ASCIISet, from start: Int) -> Int {
        var index = start
        while let byte = byte(at: index), bytes.contains(byte) { index += 1 }
        return index
    }

    /// Returns the position of the first of these bytes, or the end of a text without them.
    private func index(of bytes: ASCIISet, from start: Int) -> Int {
        guard start < source.count else { return source.count }
        return source[start...].firstIndex { bytes.contains($0) } ?? source.count
    }
}

extension TextMask {
    static let whiteSpace = ASCIISet(" \t\r\n")
    /// White space, and the backslashes before the quotes of JSON in a string, which is masked whole.
    private static let jsonSpace = ASCIISet(" \t\r\n\\")
    private static let quote = UInt8(ascii: "\"")
    private static let queryMarks = ASCIISet("?&#;")
    private static let blanks = ASCIISet(" \t")
    /// Does not contain the apostrophe, which URLs can contain (RFC 3986 §2.2).
    private static let queryStops = ASCIISet(" \t\r\n&#\"<>\\")
    private static let valueStops = ASCIISet(" \t\r\n&#\"<>\\',;)]}")
    private static let namePunctuation = ASCIISet("_-.%[]")
    private static let authorityStops = ASCIISet(" \t\r\n/?#\"'<>\\")

    /// Returns whether a byte may occur in the name of a value.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80 || namePunctuation.contains(byte)
    }

    /// Returns whether the bytes are `name=` and a value, as after the scheme of a challenge.
    ///
    /// A trailing `=` belongs to Base64.
    private static func isParameter(_ bytes: ArraySlice<UInt8>, before next: UInt8?) -> Bool {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return next == quote || bytes[equals...].contains { $0 != UInt8(ascii: "=") }
    }
}

extension LogRedaction {
    /// Returns whether nothing in a URL can be masked: it has only a scheme, a host name, a path and a query without
    /// escapes and long words, and all items of the query have names that are shown.
    ///
    /// Most URLs have this form, and reading them word by word takes microseconds.
    func isHarmless(url: String) -> Bool {
        var url = url
        return url.withUTF8 { bytes in
            guard let start = URLText.authority(of: bytes) else { return false }
            let mark = bytes[start...].firstIndex(of: UInt8(ascii: "?"))
            let end = mark ?? bytes.endIndex
            let path = bytes[start..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
            // A key has no dot within its first 19 bytes, and a port is no part of one.
            return Self.hasShortWords(bytes[start..<path], between: Self.hostSeparators)
                && Self.hasShortWords(bytes[path..<end], between: Self.pathSeparators)
                && mark.map { isHarmless(query: bytes[($0 + 1)...]) } ?? true
        }
    }

    private func isHarmless(query: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        query.split(separator: UInt8(ascii: "&")).allSatisfy { item in
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return false }
            let name = item[..<equals]
            return Self.isShortWord(name) && Self.isShortWord(item[(equals + 1)...])
                && !hides(item: String(decoding: name, as: UTF8.self), inAuthorization: true)
        }
    }

    private static func hasShortWords(
        _ text: Slice<UnsafeBufferPointer<UInt8>>,
        between separators: ASCIISet
    ) -> Bool {
        var length = 0
        return text.allSatisfy { byte in
            length = separators.contains(byte) ? 0 : length + 1
            return length == 0 || length < minimumKeyLength && isWordByte(byte)
        }
    }

    /// Returns whether a text is too short to be a key, and has only characters that need no escape in a URL.
    static func isShortWord(_ text: some Collection<UInt8>) -> Bool {
        text.count < minimumKeyLength && text.allSatisfy(isWordByte)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || wordPunctuation.contains(byte)
    }

    private static let minimumKeyLength = 19
    private static let wordPunctuation = ASCIISet("-._~")
    private static let hostSeparators = ASCIISet(".:")
    private static let pathSeparators = ASCIISet("/")
}
