/// Why a value can't be decoded, without its coding path, which only the caller knows.
enum JSONFault: Error {
    /// The characters of a string or number are invalid, or a number does not fit its type.
    ///
    /// Such an error has no coding path. `JSONDecoder` throws an internal error for it, which becomes a `DecodingError`
    /// only at the end of decoding: an initialiser that catches `DecodingError` does not catch it.
    case syntax(JSONSyntaxError)
    case mismatch(expected: Any.Type, found: JSONToken)
    /// Null where a value is expected, or a container of this name.
    case null(expected: Any.Type, container: StaticString?)
    case corrupted(String)
    indirect case inside(AnyCodingKey, JSONFault)
    /// The error with which all decoding ends, for example because the call was cancelled.
    case ended(any Error)

    @inline(never)
    func error(at path: JSONPath) -> any Error {
        let isDiscarded = path.document.budget.discardsErrors
        func context(_ text: @autoclosure () -> String) -> DecodingError.Context {
            isDiscarded ? .discarded : .init(codingPath: path.keys, debugDescription: text())
        }
        switch self {
        case .syntax(var error):
            error.isOfAValue = true
            if !isDiscarded { error.path = path.keys }
            return error
        case .mismatch(let type, let token):
            // JSONDecoder has no text for this type.
            let isDecimal = type == Decimal.self
            let text = context(isDecimal ? "" : "Expected to decode \(type) but found \(token.name) instead.")
            return DecodingError.typeMismatch(type, text)
        case .null(let type, let container):
            func text() -> String {
                let wanted = container.map { "\($0) decoding container" } ?? "value of type \(type)"
                return "Cannot get \(wanted) -- found null value instead"
            }
            return DecodingError.valueNotFound(type, context(text()))
        case .inside(let key, let fault):
            return fault.error(at: path.appending(key))
        case .ended(let error):
            return error
        case .corrupted(let text):
            return DecodingError.dataCorrupted(context(text))
        }
    }

    /// Returns the fault for a token of the wrong kind for a type.
    @inline(never)
    static func unexpected(_ token: JSONToken, for type: Any.Type, container: StaticString? = nil) -> JSONFault {
        token.is(.null) ? .null(expected: type, container: container) : .mismatch(expected: type, found: token)
    }

    @inline(never)
    static func invalid(_ reason: StaticString, _ token: JSONToken) -> JSONFault {
        .syntax(JSONSyntaxError(reason, at: token.start))
    }
}

extension DecodingError.Context {
    /// The context of an error whose text and path are not read.
    static let discarded = DecodingError.Context(codingPath: [], debugDescription: "")
}

/// Why a text isn't valid JSON, or a string or number is invalid.
package struct JSONSyntaxError: Error, CustomStringConvertible {
    let reason: StaticString
    let offset: Int
    let isTooDeep: Bool
    /// Whether a string or number is invalid, not the text as a whole.
    var isOfAValue = false
    /// The coding path of the string or number.
    var path: [any CodingKey] = []

    package var description: String { "\(reason), at byte \(offset)" }

    init(_ reason: StaticString, at offset: Int, isTooDeep: Bool = false) {
        self.reason = reason
        self.offset = offset
        self.isTooDeep = isTooDeep
    }
}
