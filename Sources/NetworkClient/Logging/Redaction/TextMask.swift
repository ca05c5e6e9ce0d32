/// A single pass over any text that masks the values of hidden names: in JSON that is invalid or quoted in a string, in
/// XML, GraphQL, YAML, URLs and forms, in source code, and in sentences.
///
/// The time is proportional to the length of any text. If the end of a value is unclear, more is masked.
struct TextMask {
    let source: [UInt8]
    private let redaction: LogRedaction
    /// The number of nested layers of percent-encoding and XML entities that may still be decoded.
    private let layers: Int
    private var output: [UInt8] = []
    private(set) var position = 0
    /// The ends of the percent-encoded text, and of the text with entities, that are known to contain no secret.
    private var checkedEnds = (percent: 0, entities: 0)
    /// The end of the current or the last XML tag.
    private var tagEnd = 0
    /// The name of that tag, if the content of its element is masked.
    private var hiddenElement: ArraySlice<UInt8>?

    init(_ text: String, redaction: LogRedaction, layers: Int = 4) {
        source = Array(text.utf8)
        self.redaction = redaction
        self.layers = layers
    }

    mutating func run() -> String {
        output.reserveCapacity(source.count)
        while position < source.count {
            if hiddenElement != nil, position > tagEnd { maskElement() }
            guard let byte = byte(at: position) else { break }
            if Self.isNameByte(byte) {
                word()
            } else if byte == UInt8(ascii: "<") {
                beginTag()
            } else if byte == UInt8(ascii: "/"), let start = startOfAuthority() {
                copy(to: start)
                maskUser()
            } else if byte == UInt8(ascii: "&"), maskEntities() {
                continue
            } else {
                copy(to: position + 1)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Copies a word, and masks the value after it if the word is a hidden name.
    private mutating func word() {
        let start = position
        let end = source[start...].firstIndex { !Self.isNameByte($0) } ?? source.count
        let name = String(decoding: source[start..<end], as: UTF8.self)
        let before = start > 0 ? source[start - 1] : 0
        if !redaction.showsEverything, let secret = TellingValue.find(in: source, start..<end) {
            copy(to: secret.lowerBound)
            return mask(to: secret.upperBound)
        }
        guard !source[start..<end].contains(UInt8(ascii: "%")) || !maskEscaped() else { return }
        copy(to: end)
        // In a JSON string, the name of a scheme may follow the `n` of an escaped line break.
        let isInString = before == UInt8(ascii: "\\")
        if Self.schemes.contains(name.lowercased())
            || isInString && Self.schemes.contains(name.dropFirst().lowercased())
        {
            maskCredential()
        } else if Self.queryMarks.contains(before), byte(at: end) == UInt8(ascii: "=") {
            if redaction.hides(field: LogRedaction.decoded(name)) {
                copy(to: end + 1)
                mask(to: endOfValue(from: end + 1, stops: Self.queryStops))
            }
        } else if isQuoted(before, end) {
            if redaction.hides(field: name) { maskValue(of: start, isQuoted: true) }
        } else if start < tagEnd ? redaction.hides(inMarkup: name) : redaction.hides(inText: name) {
            maskValue(of: start, isQuoted: false)
        }
    }

    /// Returns whether a name is in quotes, which may be escaped.
    private func isQuoted(_ before: UInt8, _ end: Int) -> Bool {
        guard Self.quotes.contains(before), before != UInt8(ascii: "\\") else { return false }
        return byte(at: end) == before || byte(at: end) == UInt8(ascii: "\\")
    }

    /// Masks the value after the name that was just copied and a separator, such as `=`, `:`, `=>` or `:=`.
    private mutating func maskValue(of name: Int, isQuoted: Bool) {
        let blanks = isQuoted ? Self.whiteSpace : Self.blanks
        var next = skip(blanks, from: skip(Self.quotes, from: position))
        guard let separator = byte(at: next), separator == UInt8(ascii: "=") || separator == UInt8(ascii: ":") else {
            return
        }
        next = skip(blanks, from: skip(Self.separators, from: next + 1))
        let quote = skip(Self.backslash, from: next)
        if let byte = byte(at: quote), byte != UInt8(ascii: "\\"), Self.quotes.contains(byte) {
            let isTriple = isTripleQuote(at: quote, escapes: quote - next)
            copy(to: isTriple ? quote + 1 + 2 * (quote - next + 1) : quote + 1)
            mask(to: endOfQuotation(from: position, byte, escapes: quote - next, isTriple: isTriple))
        } else if let byte = byte(at: next), Self.openings.contains(byte) {
            copy(to: next)
            mask(to: endOfContainer(from: next))
        } else {
            copy(to: next)
            mask(to: isQuoted ? endOfValue(from: next, stops: Self.literalStops) : endOfLines(from: next, of: name))
        }
    }

    /// Masks the credential after an authentication scheme, but not a plain word as in `Bearer token`.
    private mutating func maskCredential() {
        let start = skip(Self.blanks, from: position)
        let end = endOfValue(from: start, stops: Self.valueStops)
        let credential = source[start..<end]
        let isParameter = Self.isParameter(credential, before: byte(at: end))
        guard start > position, !isParameter, !credential.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) else { return }
        copy(to: start)
        mask(to: end)
    }

    /// Returns the start of a URL's authority after `//`, or after `\/\/` as in some JSON; nil if there is none.
    private func startOfAuthority() -> Int? {
        let second = skip(Self.backslash, from: position + 1)
        return byte(at: second) == UInt8(ascii: "/") ? second + 1 : nil
    }

    /// Masks user and password at the start of an authority.
    private mutating func maskUser() {
        let end = endOfValue(from: position, stops: Self.authorityStops)
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
        guard layers > 0, position >= checkedEnds.percent else { return false }
        let end = endOfValue(from: position, stops: Self.queryStops)
        checkedEnds.percent = end
        return mask(to: end, ifSecretIn: LogRedaction.decoded(String(decoding: source[position..<end], as: UTF8.self)))
    }

    /// Masks text with XML entities, such as JSON inside an element, if it contains a secret.
    private mutating func maskEntities() -> Bool {
        guard layers > 0, position >= checkedEnds.entities, entity(at: position) != nil else { return false }
        let end = index(of: Self.entityStops, from: position)
        checkedEnds.entities = end
        return mask(to: end, ifSecretIn: textWithoutEntities(position..<end))
    }

    private mutating func mask(to end: Int, ifSecretIn text: String) -> Bool {
        var inner = TextMask(text, redaction: redaction, layers: layers - 1)
        guard inner.run() != text else { return false }
        mask(to: end)
        return true
    }

    private mutating func beginTag() {
        copy(to: position + 1)
        guard let first = byte(at: position), Self.isNameByte(first) else { return }
        let name = source[position...].prefix(while: Self.isElementByte)
        let local = name.split(separator: UInt8(ascii: ":")).last ?? name
        hiddenElement = redaction.hides(inMarkup: String(decoding: local, as: UTF8.self)) ? name : nil
        tagEnd = endOfTag(from: position, isHidden: hiddenElement != nil)
    }

    /// Masks the remaining content of a hidden element whose tag has been read.
    private mutating func maskElement() {
        let isEmpty = tagEnd > 0 && source[tagEnd - 1] == UInt8(ascii: "/")
        if let name = hiddenElement, !isEmpty { mask(to: endOfElement(name, from: tagEnd + 1)) }
        hiddenElement = nil
    }

    private mutating func copy(to end: Int) {
        let end = min(end, source.count)
        guard end > position else { return }
        output += source[position..<end]
        position = end
    }

    private mutating func mask(to end: Int) {
        // White space between two elements is not a value.
        guard end > position, source[position..<end].contains(where: { !Self.whiteSpace.contains($0) }) else { return }
        output += LogRedaction.maskText.utf8
        position = end
    }
}

extension LogRedaction {
    /// Returns whether nothing in a URL can be masked: it has only a scheme, a host name, and a path without escapes
    /// and parameters.
    ///
    /// Most URLs have this form, and reading them word by word takes microseconds.
    func isHarmless(url: String) -> Bool {
        guard hiddenNames.isEmpty || !hiddenNames.contains("http") && !hiddenNames.contains("https") else {
            return false
        }
        var url = url
        return url.withUTF8 { bytes in
            guard let start = URLText.authority(of: bytes) else { return false }
            let isPlain = bytes[start...].allSatisfy {
                ASCII.isLetter($0) || ASCII.isDigit($0) || "/-._~".utf8.contains($0)
            }
            // A segment of this length may be a key.
            return isPlain && bytes[start...].split(separator: UInt8(ascii: "/")).allSatisfy { $0.count < 19 }
        }
    }
}
