extension MediaType {
    /// What a media type says besides its type, such as `charset=utf-8` (RFC 9110 §5.6.6).
    public struct Parameter: Hashable, Sendable {
        /// The name in lower case, since letters count without case in it.
        public let name: String

        /// The value, without quotes and backslashes.
        public let value: String

        /// Takes a name and a value.
        ///
        /// - Parameters:
        ///   - name: The name, a token (RFC 9110 §5.6.2).
        ///   - value: The value as it is meant; it is quoted where that is needed.
        public init(name: String, value: String) {
            self.name = name.lowercased()
            self.value = value
        }
    }

    /// The parameters in their order; what is written without an equals sign is none.
    public var parameters: [Parameter] {
        withBytes { bytes in
            var scanner = MediaTypeScanner(bytes)
            var parameters: [Parameter] = []
            while let next = scanner.next() {
                guard !next.name.isEmpty else { continue }
                parameters.append(Parameter(name: scanner.text(next.name), value: scanner.unquoted(next.value)))
            }
            return parameters
        }
    }

    /// The value of a parameter, without quotes.
    ///
    /// - Parameter name: The parameter's name, in any letter case.
    /// - Returns: The value, of several with that name the first; nil if there is none.
    public func parameter(_ name: String) -> String? {
        var name = name
        return name.withUTF8 { name in
            withBytes { bytes in
                var scanner = MediaTypeScanner(bytes)
                while let next = scanner.next() {
                    guard !next.name.isEmpty, scanner.isName(next.name, name) else { continue }
                    return scanner.unquoted(next.value)
                }
                return nil
            }
        }
    }

    /// A copy with a parameter, in place of those of its name, or at the end.
    ///
    /// The quotes of a value that are not closed are closed first.
    ///
    /// - Parameters:
    ///   - name: The parameter's name; with one that is no token (RFC 9110 §5.6.2) nothing changes.
    ///   - value: The value, which is quoted where that is needed; control characters in it become spaces. With nil the
    ///     parameter is removed.
    /// - Returns: The changed copy.
    public func setting(parameter name: String, to value: String?) -> MediaType {
        guard HTTPToken.isValid(name) else { return self }
        let written = value.map { "\(name)=\(QuotedString.quotedIfNeeded($0))" }
        var (text, isWritten) = replacing(name, by: written)
        if !isWritten, let written { text += "; \(written)" }
        return MediaType(text)
    }

    /// The text with the first parameter of a name replaced and the others of it removed, and whether there was one.
    func replacing(_ name: String, by written: String?) -> (text: String, isWritten: Bool) {
        var name = name
        return name.withUTF8 { name in
            withBytes { bytes in
                var scanner = MediaTypeScanner(bytes)
                var text = scanner.text(scanner.essence)
                var isWritten = false
                while let next = scanner.next() {
                    guard scanner.isName(next.name, name) else {
                        text += "; \(scanner.text(next.whole))\(next.closing)"
                        continue
                    }
                    if !isWritten, let written { text += "; \(written)" }
                    isWritten = true
                }
                return (text, isWritten)
            }
        }
    }
}
