/// One pass over running text that masks the values which follow hidden names.
struct TextMask {
    private let source: [UInt8]
    private let redaction: LogRedaction
    private var output: [UInt8] = []
    private var position = 0

    init(_ text: String, redaction: LogRedaction) {
        source = Array(text.utf8)
        self.redaction = redaction
    }

    mutating func run() -> String {
        output.reserveCapacity(source.count)
        while position < source.count {
            if Self.isNameByte(source[position]) {
                word()
            } else {
                let isAuthority = source[position...].starts(with: "://".utf8)
                copy(to: position + (isAuthority ? 3 : 1))
                if isAuthority { maskUser() }
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Copies a name; masks what follows it if it is a hidden one.
    private mutating func word() {
        let start = position
        let end = source[start...].firstIndex { !Self.isNameByte($0) } ?? source.count
        let name = String(decoding: source[start..<end], as: UTF8.self)
        let before = start > 0 ? source[start - 1] : 0
        copy(to: end)
        if Self.schemes.contains(name.lowercased()) {
            maskCredential()
        } else if Self.queryMarks.contains(before), byte(at: end) == UInt8(ascii: "=") {
            if redaction.hides(field: LogRedaction.decoded(name)) {
                copy(to: end + 1)
                mask(to: endOfValue(from: end + 1, stops: Self.queryStops))
            }
        } else if isQuoted(before, end) ? redaction.hides(field: name) : redaction.hides(inText: name) {
            maskValue(after: end, isElement: before != UInt8(ascii: "/"), isLine: Self.isLineName(name))
        }
    }

    /// Whether a name stands in quotes, as in JSON that is broken.
    private func isQuoted(_ before: UInt8, _ end: Int) -> Bool {
        before == UInt8(ascii: "\"") && (byte(at: end) == before || byte(at: end) == UInt8(ascii: "\\"))
    }

    /// Masks `=value`, `: value`, `": "value"` or `>value<`.
    private mutating func maskValue(after end: Int, isElement: Bool, isLine: Bool) {
        if byte(at: end) == UInt8(ascii: ">") {
            guard isElement else { return }
            copy(to: end + 1)
            return mask(to: endOfValue(from: position, stops: Self.elementStops))
        }
        var next = skip(Self.quotes, from: end)
        next = skip(Self.blanks, from: next)
        guard let separator = byte(at: next), separator == UInt8(ascii: "=") || separator == UInt8(ascii: ":") else {
            return
        }
        next = skip(Self.blanks, from: next + 1)
        let escapes = byte(at: next) == UInt8(ascii: "\\") ? 1 : 0
        if let quote = byte(at: next + escapes), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            copy(to: next + escapes + 1)
            mask(to: endOfQuotation(quote, isEscaped: escapes == 1))
        } else {
            copy(to: next)
            mask(to: endOfValue(from: next, stops: isLine ? Self.lineStops : Self.valueStops))
        }
    }

    /// Masks what follows an authentication scheme, unless it is a plain word, as in `Bearer token`.
    private mutating func maskCredential() {
        let start = skip(Self.blanks, from: position)
        let end = endOfValue(from: start, stops: Self.valueStops)
        let credential = source[start..<end]
        let isParameter = Self.isParameter(credential, before: byte(at: end))
        guard start > position, !isParameter, !credential.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) else { return }
        copy(to: start)
        mask(to: end)
    }

    /// Masks user and password right after `://`.
    private mutating func maskUser() {
        let end = endOfValue(from: position, stops: Self.authorityStops)
        guard let at = source[position..<end].lastIndex(of: UInt8(ascii: "@")) else { return }
        mask(to: at)
    }

    private mutating func copy(to end: Int) {
        let end = min(end, source.count)
        output += source[position..<end]
        position = end
    }

    private mutating func mask(to end: Int) {
        // The space between two elements is no value.
        guard source[position..<end].contains(where: { !Self.whiteSpace.contains($0) }) else { return }
        output += LogRedaction.maskText.utf8
        position = end
    }

    private func byte(at index: Int) -> UInt8? {
        index < source.count ? source[index] : nil
    }

    private func skip(_ bytes: Set<UInt8>, from start: Int) -> Int {
        var index = start
        while let byte = byte(at: index), bytes.contains(byte) { index += 1 }
        return index
    }

    private func endOfValue(from start: Int, stops: Set<UInt8>) -> Int {
        guard start < source.count else { return source.count }
        let end = source[start...].firstIndex { stops.contains($0) } ?? source.count
        // The backslash of `\"` is no part of a value in a JSON string.
        let isEscape = end > start && byte(at: end) == UInt8(ascii: "\"") && source[end - 1] == UInt8(ascii: "\\")
        return isEscape ? end - 1 : end
    }

    /// Where a quotation ends that has begun: at a quote without a backslash, or at `\"` if it began with one.
    private func endOfQuotation(_ quote: UInt8, isEscaped: Bool) -> Int {
        var index = position
        while let byte = byte(at: index) {
            if byte == quote { return index }
            if byte == UInt8(ascii: "\\") {
                if isEscaped, self.byte(at: index + 1) == quote { return index }
                index += 1
            }
            index += 1
        }
        return source.count
    }
}
