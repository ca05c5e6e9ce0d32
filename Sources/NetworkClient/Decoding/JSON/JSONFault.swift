/// Why a value can't be decoded, without its coding path, which only the caller knows.
enum JSONFault: Error {
    /// The characters of a string or number are invalid, or a number does not fit its type.
    ///
    /// Such an error has no coding path. `JSONDecoder` throws an internal error for it, which becomes a `DecodingError`
    /// only at the end of decoding: an initialiser that catches `DecodingError` does not catch it.
    case syntax(JSONSyntaxError)
    case mismatch(expected: Any.Type, found: JSONToken)
    case null(expected: Any.Type)
    case corrupted(String)
    indirect case inside(JSONKey, JSONFault)

    @inline(never)
    func error(at path: JSONPath) -> any Error {
        func context(_ text: String) -> DecodingError.Context { .init(codingPath: path.keys, debugDescription: text) }
        switch self {
        case .syntax(let error):
            return error
        case .mismatch(let type, let token):
            let text = "Expected to decode \(type) but found \(token.name) instead."
            return DecodingError.typeMismatch(type, context(text))
        case .null(let type):
            return DecodingError.valueNotFound(type, context("Expected to decode \(type) but found null instead."))
        case .inside(let key, let fault):
            return fault.error(at: path.appending(key))
        case .corrupted(let text):
            return DecodingError.dataCorrupted(context(text))
        }
    }

    /// Returns the fault for a token of the wrong kind for a type.
    @inline(never)
    static func unexpected(_ token: JSONToken, for type: Any.Type) -> JSONFault {
        token.is(.null) ? .null(expected: type) : .mismatch(expected: type, found: token)
    }

    @inline(never)
    static func invalid(_ reason: StaticString, _ token: JSONToken) -> JSONFault {
        .syntax(JSONSyntaxError(reason, at: token.start))
    }
}

/// Why a text isn't valid JSON, or a number does not fit its type.
struct JSONSyntaxError: Error, CustomStringConvertible {
    let reason: StaticString
    let offset: Int
    let isTooDeep: Bool

    var description: String { "\(reason), at byte \(offset)" }

    init(_ reason: StaticString, at offset: Int, isTooDeep: Bool = false) {
        self.reason = reason
        self.offset = offset
        self.isTooDeep = isTooDeep
    }
}
