extension JSONDocument {
    /// Decodes a date, data, a URL or a decimal number.
    @inline(never)
    func decodeFoundationType<Value: Decodable>(
        _ type: Value.Type,
        _ index: Int,
        _ path: JSONPath,
        _ scope: JSONPath
    ) throws -> Value {
        if isNull(index) { throw JSONFault.null(expected: type, container: nil).error(at: path) }
        do throws(JSONFault) {
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

    private func decimal(_ index: Int) throws(JSONFault) -> Decimal {
        let token = token(index)
        guard token.is(.number) else { throw .mismatch(expected: Decimal.self, found: token) }
        guard let decimal = try number(token, index).decimal ?? Decimal(string: plainString(index)) else {
            throw .invalid("a number does not fit its type", token)
        }
        return decimal
    }
}
