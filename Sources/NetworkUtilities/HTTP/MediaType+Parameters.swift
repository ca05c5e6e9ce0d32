extension MediaType {
    /// A parameter of a media type, such as `charset=utf-8` (RFC 9110 §5.6.6).
    public struct Parameter: Hashable, Sendable {
        /// The name in lower case; the case of names is ignored.
        public let name: String

        /// The value, without quotes and backslashes.
        public let value: String

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: A token (RFC 9110 §5.6.2).
        ///   - value: The value without quotes; written in quotes if it is not a token.
        public init(name: String, value: String) {
            self.name = String(decoding: name.utf8.map(ASCII.lowercased), as: UTF8.self)
            self.value = value
        }
    }

    /// The parameters in their order; a parameter without an equals sign is ignored.
    public var parameters: [Parameter] {
        withBytes { bytes in
            var scanner = Scanner(bytes)
            var parameters: [Parameter] = []
            while let next = scanner.next() {
                guard !next.name.isEmpty else { continue }
                parameters.append(Parameter(name: scanner.text(next.name), value: scanner.unquoted(next.value)))
            }
            return parameters
        }
    }

    /// Returns the value of the first parameter with a name in any letter case, without quotes; nil without such a
    /// parameter.
    public func parameter(_ name: String) -> String? {
        withBytes { bytes in
            var scanner = Scanner(bytes)
            while let next = scanner.next() {
                guard !next.name.isEmpty, ASCII.isSame(scanner.text(next.name), name) else { continue }
                return scanner.unquoted(next.value)
            }
            return nil
        }
    }

    /// Returns a copy in which a parameter replaces all of the same name, or is added at the end.
    ///
    /// Nil removes the parameter. The value is written in quotes if it is not a token, and control characters in it
    /// become spaces. An unclosed quoted string is closed first. Nothing changes if the name is not a token (RFC 9110
    /// §5.6.2).
    public func setting(parameter name: String, to value: String?) -> MediaType {
        guard HTTPToken.isValid(name) else { return self }
        let written = value.map { "\(name)=\(QuotedString.quotedIfNeeded($0))" }
        var (text, isWritten) = replacing(name, by: written)
        if !isWritten, let written { text += "; \(written)" }
        return MediaType(text)
    }

    /// Returns the text with the first parameter of a name replaced and the others removed, and whether the text had
    /// such a parameter.
    func replacing(_ name: String, by written: String?) -> (text: String, isWritten: Bool) {
        withBytes { bytes in
            var scanner = Scanner(bytes)
            var text = scanner.text(scanner.essence)
            var isWritten = false
            while let next = scanner.next() {
                guard ASCII.isSame(scanner.text(next.name), name) else {
                    text += "; \(scanner.text(next.whole))\(next.closing)"
                    continue
                }
                if !isWritten, let written { text += "; \(written)" }
                isWritten = true
            }
            return (text, isWritten)
        }
    }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        var text = value
        return try text.withUTF8(body)
    }
}

extension MediaType {
    /// Creates a media type from a text that follows the grammar of RFC 9110 §8.3.1.
    ///
    /// Allowed are spaces around semicolons, empty parameters, quoted values and any letter case. The text is kept
    /// verbatim.
    ///
    /// - Throws: ``MediaTypeError`` for any other text, which ``init(_:)`` accepts.
    public init(parsing text: String) throws(MediaTypeError) {
        var copy = text
        if let flaw = copy.withUTF8(Scanner.flaw) { throw MediaTypeError(text: text, reason: flaw) }
        self.init(text)
    }

    /// Creates a media type from its parts, with quotes where they are needed.
    ///
    /// - Throws: ``MediaTypeError`` if the type, the subtype or the name of a parameter is not a token (RFC 9110
    ///   §5.6.2), or the value of a parameter contains a control character.
    public init(type: String, subtype: String, parameters: [Parameter] = []) throws(MediaTypeError) {
        let essence = "\(type)/\(subtype)"
        guard HTTPToken.isValid(type), HTTPToken.isValid(subtype) else {
            throw MediaTypeError(text: essence, reason: .essence)
        }
        var text = essence
        for parameter in parameters {
            guard HTTPToken.isValid(parameter.name) else { throw MediaTypeError(text: essence, reason: .parameter) }
            guard !parameter.value.utf8.contains(where: ASCII.isControl) else {
                throw MediaTypeError(text: essence, reason: .parameterValue)
            }
            text += "; \(parameter.name)=\(QuotedString.quotedIfNeeded(parameter.value))"
        }
        self.init(text)
    }
}

extension MediaType {
    /// Finds the parts of a media type, also of a malformed one, which servers do send.
    struct Scanner {
        /// The positions of a parameter in the text, without spaces around them.
        struct Parameter {
            /// Name, equals sign and value.
            let whole: Range<Int>

            /// Empty without an equals sign.
            let name: Range<Int>

            let value: Range<Int>

            /// The bytes that close an unclosed quoted string: without them, an appended parameter would be inside the
            /// string.
            let closing: String
        }

        /// The position of `type/subtype`, without spaces around it.
        let essence: Range<Int>

        private let bytes: UnsafeBufferPointer<UInt8>
        private var position: Int

        init(_ bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
            position = bytes.firstIndex(of: Self.semicolon) ?? bytes.count
            essence = ASCII.trimmed(bytes[..<position]).indices
        }

        /// Returns the next parameter that is not empty; nil at the end.
        mutating func next() -> Parameter? {
            while position < bytes.count {
                let start = position + 1
                let (end, equals, closing) = endOfParameter(from: start)
                position = end
                let whole = trimmed(start..<end)
                guard !whole.isEmpty else { continue }
                let name = equals.map { trimmed(start..<$0) } ?? start..<start
                let value = equals.map { trimmed($0 + 1..<end) } ?? end..<end
                return Parameter(whole: whole, name: name, value: value, closing: closing)
            }
            return nil
        }

        /// Returns the first rule of RFC 9110 §8.3.1 that a text breaks; nil for a valid media type.
        static func flaw(in bytes: UnsafeBufferPointer<UInt8>) -> MediaTypeError.Reason? {
            var scanner = Scanner(bytes)
            let names = bytes[scanner.essence].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            guard names.count == 2, names.allSatisfy(HTTPToken.isValid) else { return .essence }
            while let next = scanner.next() {
                // The grammar has no spaces around the equals sign.
                let parts = bytes[next.whole].split(
                    separator: equalsSign,
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                guard parts.count == 2, HTTPToken.isValid(parts[0]) else { return .parameter }
                guard HTTPToken.isValid(parts[1]) || QuotedString.isValid(parts[1]) else { return .parameterValue }
            }
            return nil
        }

        /// Returns the text of a part.
        func text(_ range: Range<Int>) -> String {
            String(decoding: bytes[range], as: UTF8.self)
        }

        /// Returns the value of a parameter without its quotes.
        func unquoted(_ range: Range<Int>) -> String {
            QuotedString.unquoted(bytes[range])
        }

        private func trimmed(_ range: Range<Int>) -> Range<Int> {
            ASCII.trimmed(bytes[range]).indices
        }

        private func endOfParameter(from start: Int) -> (end: Int, equals: Int?, closing: String) {
            var equals: Int?
            var isQuoted = false
            var index = start
            while index < bytes.count {
                switch bytes[index] {
                case Self.semicolon where !isQuoted: return (index, equals, "")
                case Self.equalsSign where equals == nil: equals = index
                case QuotedString.quote: isQuoted.toggle()
                case QuotedString.backslash where isQuoted: index += 1
                default: break
                }
                index += 1
            }
            guard isQuoted else { return (bytes.count, equals, "") }
            // After a backslash as the last byte, the index is beyond the end; the backslash would escape the quote.
            return (bytes.count, equals, index > bytes.count ? "\\\"" : "\"")
        }

        private static let semicolon = UInt8(ascii: ";")
        private static let equalsSign = UInt8(ascii: "=")
    }
}
