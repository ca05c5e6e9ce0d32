/// The grammar of RFC 9110 §8.3.1 to the letter: `type "/" subtype *( OWS ";" OWS [ name "=" value ] )`.
struct MediaTypeGrammar {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let end: Int
    private var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ extent: Range<Int>) {
        self.bytes = bytes
        position = extent.lowerBound
        end = extent.upperBound
    }

    /// What is wrong with the text; nil if nothing is.
    func flaw() -> InvalidMediaType.Reason? {
        var reader = self
        guard reader.takeToken(), reader.take(UInt8(ascii: "/")), reader.takeToken() else { return .essence }
        reader.skipWhiteSpace()
        guard reader.isAtEnd || reader.isAt(MediaTypeScanner.semicolon) else { return .essence }
        while reader.take(MediaTypeScanner.semicolon) {
            if let flaw = reader.flawInParameter() { return flaw }
            reader.skipWhiteSpace()
        }
        return reader.isAtEnd ? nil : .parameter
    }

    private mutating func flawInParameter() -> InvalidMediaType.Reason? {
        skipWhiteSpace()
        guard !isAtEnd, !isAt(MediaTypeScanner.semicolon) else { return nil }
        guard takeToken(), take(MediaTypeScanner.equalsSign) else { return .parameter }
        guard isAt(QuotedString.quote) else { return takeToken() ? nil : .parameterValue }
        guard let close = QuotedString.end(in: bytes, from: position) else { return .parameterValue }
        position = close
        return nil
    }

    private var isAtEnd: Bool { position >= end }

    private func isAt(_ byte: UInt8) -> Bool {
        position < end && bytes[position] == byte
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard isAt(byte) else { return false }
        position += 1
        return true
    }

    private mutating func takeToken() -> Bool {
        let start = position
        while position < end, HTTPToken.isTokenCharacter(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func skipWhiteSpace() {
        while position < end, HeaderField.isWhiteSpace(bytes[position]) { position += 1 }
    }
}
