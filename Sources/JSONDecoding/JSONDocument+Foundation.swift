extension JSONDocument {
    /// Decodes a date, data, a URL, a UUID or a decimal number.
    @inline(never)
    func decodeFoundationType<Value: Decodable>(
        _ type: Value.Type,
        _ index: Int,
        _ path: JSONPath,
        _ scope: JSONPath
    ) throws -> Value {
        // For null, the error names String and not UUID, which decodes itself from a String.
        if isNull(index), type != UUID.self { throw JSONFault.null(expected: type, container: nil).error(at: path) }
        do throws(JSONFault) {
            if type == UUID.self { return identical(try uuid(index), as: type) }
            if type == URL.self { return identical(try url(index), as: type) }
            if type == Decimal.self { return identical(try decimal(index), as: type) }
            if type == Data.self, let data = try data(index) { return identical(data, as: type) }
            if type == Date.self, let date = try date(index) { return identical(date, as: type) }
        } catch {
            // JSONDecoder does not add the key of a date that isn't valid ISO 8601.
            if case .corrupted = error, case .iso8601 = options.dates, type == Date.self {
                throw error.error(at: scope)
            }
            throw error.error(at: path)
        }
        let decoder = JSONValueDecoder(index, path)
        if type == Data.self {
            guard case .custom(let decode) = options.data else { return try type.init(from: decoder) }
            return identical(try decode(decoder), as: type)
        }
        guard case .custom(let decode) = options.dates else { return try type.init(from: decoder) }
        return identical(try decode(decoder), as: type)
    }

    /// Decodes a date without a decoder; nil if the strategy needs one.
    private func date(_ index: Int) throws(JSONFault) -> Date? {
        switch options.dates {
        case .secondsSince1970: return Date(timeIntervalSince1970: try Double.decode(self, index))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try Double.decode(self, index) / 1000)
        case .iso8601:
            guard let date = try? Date.ISO8601FormatStyle().parse(try String.decode(self, index)) else {
                _ = try String.decode(self, index)
                throw .corrupted("Expected date string to be ISO8601-formatted.")
            }
            return date
        default: return nil
        }
    }

    /// Decodes data without a decoder; nil if the strategy needs one.
    private func data(_ index: Int) throws(JSONFault) -> Data? {
        guard case .base64 = options.data else { return nil }
        let token = token(index)
        if token.is(.string), token.isPlain {
            let range = range(token, index)
            if let data = Data(base64Encoded: text.withBytes { $0.data(in: range) }) { return data }
        }
        if let data = Data(base64Encoded: try String.decode(self, index)) { return data }
        throw .corrupted("Encountered Data is not valid Base64.")
    }

    private func url(_ index: Int) throws(JSONFault) -> URL {
        guard let url = URL(string: try String.decode(self, index)) else { throw .corrupted("Invalid URL string.") }
        return url
    }

    private func uuid(_ index: Int) throws(JSONFault) -> UUID {
        let token = token(index)
        if token.is(.string), token.isPlain {
            let range = range(token, index)
            if let uuid = text.withBytes({ UUID($0, range) }) { return uuid }
        }
        guard let uuid = UUID(uuidString: try String.decode(self, index)) else {
            throw .corrupted("Attempted to decode UUID from invalid UUID string.")
        }
        return uuid
    }

    private func decimal(_ index: Int) throws(JSONFault) -> Decimal {
        let token = token(index)
        guard token.is(.number) else { throw .mismatch(expected: Decimal.self, found: token) }
        guard let decimal = try number(token, index).decimal ?? Decimal(string: plainString(index)) else {
            throw .invalid("a number does not fit its type", token)
        }
        return decimal
    }
}

extension UUID {
    private static let dashes = [8, 13, 18, 23]

    /// Creates a UUID from 36 bytes of text, without a string (RFC 9562 §4); nil for any other text.
    fileprivate init?(_ text: RawSpan, _ range: Range<Int>) {
        let start = range.lowerBound
        guard range.count == 36, Self.dashes.allSatisfy({ text.byte(at: start + $0) == UInt8(ascii: "-") }) else {
            return nil
        }
        func digits(_ offset: Int, _ count: Int) -> UInt64? {
            var value: UInt64 = 0
            for index in start + offset..<start + offset + count {
                guard let byte = text.byte(at: index), let digit = ASCII.hexadecimalValue(of: byte) else { return nil }
                value = value << 4 | UInt64(digit)
            }
            return value
        }
        guard let first = digits(0, 8), let second = digits(9, 4), let third = digits(14, 4),
            let fourth = digits(19, 4), let last = digits(24, 12)
        else { return nil }
        let (high, low) = (first << 32 | second << 16 | third, fourth << 48 | last)
        func byte(_ half: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: half >> (56 - 8 * index)) }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }
}
