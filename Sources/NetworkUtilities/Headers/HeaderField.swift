/// A header field of a request: a name and a value (RFC 9110 §5).
///
/// Use the factories, such as ``accept(type:)`` and ``custom(name:value:)``: they never throw, and no argument can add
/// a second field. Use ``init(name:value:)`` for input that should be refused instead of repaired.
///
/// Names are compared without regard to case (RFC 9110 §5.1), values exactly. The text of a field (`description`,
/// `dump`) shows the value of a credential, such as `Authorization` or `Cookie`, as `***`.
public struct HeaderField: Hashable, Sendable {
    /// A name in its original spelling, and whether the name is a token.
    private struct Name: Hashable, Sendable {
        let text: String
        let isToken: Bool

        static func == (one: Name, other: Name) -> Bool {
            HeaderField.isSameName(one.text, other.text)
        }

        func hash(into hasher: inout Hasher) {
            for byte in text.utf8 { hasher.combine(ASCII.lowercased(byte)) }
            hasher.combine(text.utf8.count)
        }
    }

    private let spelled: Name

    /// The value; nil for a field that is left out, because it has no value or its name is not a token.
    public let value: String?

    /// The name, in the spelling that is sent.
    public var name: String { spelled.text }

    /// Creates a field from a valid name and value.
    ///
    /// - Parameters:
    ///   - name: A token (RFC 9110 §5.6.2).
    ///   - value: A text without control characters; spaces and tabs at its ends are dropped.
    /// - Throws: ``HeaderFieldError`` for a name that is not a token and for a value with a control character.
    public init(name: String, value: String) throws(HeaderFieldError) {
        guard HTTPToken.isValid(name) else { throw .invalidName(name) }
        guard FieldValue.isValid(value) else { throw .invalidValue(name: name) }
        self.init(known: name, value)
    }

    /// Creates a field from a name that is known to be a token.
    init(known name: String, _ value: String?) {
        spelled = Name(text: name, isToken: true)
        self.value = value.map(FieldValue.sanitized)
    }

    /// Creates any other field, without errors: invalid input is repaired or left out.
    ///
    /// The field is left out if its name is not a token (RFC 9110 §5.6.2) or its value is nil. Control characters in
    /// the value become spaces (RFC 9110 §5.5).
    public static func custom(name: String, value: String?) -> HeaderField {
        HeaderField(repairing: name, value)
    }

    private init(repairing name: String, _ value: String?) {
        spelled = Name(text: name, isToken: HTTPToken.isValid(name))
        self.value = spelled.isToken ? value.map(FieldValue.sanitized) : nil
    }

    /// Whether the name is a token.
    var isNamed: Bool { spelled.isToken }

    /// Returns whether two names are the name of one field: case is ignored (RFC 9110 §5.1).
    package static func isSameName(_ one: String, _ other: String) -> Bool {
        ASCII.isSame(one, other)
    }
}

extension HeaderField {
    /// Combines the fields of each name into one, `v1,v2` (RFC 9110 §5.3), at the position of the first.
    ///
    /// A field without a value is kept only if no other field has its name.
    package static func joined(_ fields: [HeaderField]) -> [HeaderField] {
        guard fields.count > 1 else { return fields }
        var result: [HeaderField] = []
        result.reserveCapacity(fields.count)
        for field in fields { result.join(field) }
        return result
    }

    /// Combines two values of a field with a comma (RFC 9110 §5.3).
    ///
    /// In `Cookie`, which is not an HTTP list, combines them with a semicolon (RFC 6265 §4.2.1). Where only one value
    /// is allowed, the second replaces the first.
    static func combined(_ name: String, _ first: String, _ second: String) -> String {
        if singletons.contains(where: { isSameName($0, name) }) { return second }
        return isSameName(name, "Cookie") ? "\(first); \(second)" : "\(first),\(second)"
    }

    /// Request fields that are not lists, so that two combined values are invalid (RFC 9110, and the standards of the
    /// fields in the last three lines).
    private static let singletons = [
        "Authorization", "Proxy-Authorization", "Content-Length", "Content-Location", "Content-Range", "Content-Type",
        "Date", "From", "Host", "If-Modified-Since", "If-Range", "If-Unmodified-Since", "Last-Modified", "Max-Forwards",
        "Range", "Referer", "User-Agent",
        "Access-Control-Request-Method", "Content-Disposition", "Depth", "Destination", "DPoP", "ETag",
        "Idempotency-Key", "Last-Event-ID", "Origin", "Overwrite", "Sec-WebSocket-Key", "SOAPAction", "traceparent",
        "Upgrade-Insecure-Requests",
    ]
}

extension [HeaderField] {
    /// Combines a field with the one of the same name, or appends it.
    mutating func join(_ field: HeaderField) {
        guard let index = firstIndex(where: { HeaderField.isSameName($0.name, field.name) }) else {
            return append(field)
        }
        guard let value = field.value else { return }
        guard let first = self[index].value else { return self[index] = field }
        let name = self[index].name
        self[index] = HeaderField(known: name, HeaderField.combined(name, first, value))
    }
}

extension HeaderField: CustomStringConvertible, CustomReflectable {
    /// `name: value`, with a credential masked: the value of a secret name, and what tells by itself.
    public var description: String {
        "\(isNamed ? name : name.debugDescription): \(shownValue ?? "(left out)")"
    }

    /// A mirror with the value of a credential masked, for `dump`.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue as Any], displayStyle: .struct)
    }

    private var shownValue: String? {
        value.map { SensitiveNames.contains(name) ? "***" : RecognizableSecret.maskedField($0) }
    }
}

/// The error for a header field that cannot be sent.
///
/// Its text never contains the value of the field.
@nonexhaustive
public enum HeaderFieldError: Error, Hashable, Sendable {
    /// The name is not a token (RFC 9110 §5.6.2).
    case invalidName(String)

    /// The value of the named field contains a control character, such as a line break (RFC 9110 §5.5).
    case invalidValue(name: String)

    /// The user name of a Basic credential contains a colon (RFC 7617 §2).
    case colonInUserName

    /// A required credential is missing.
    case missingCredential

    /// A byte range begins before the first byte, or is empty (RFC 9110 §14.1.2).
    case invalidRange

    /// The named field accepts strong entity tags only (RFC 9110 §13.1.5).
    case weakEntityTag(name: String)

    /// The named field was given no entity tag.
    case missingCondition(name: String)

    /// The date of the named field is outside the years 0001 to 9999, which HTTP can write (RFC 9110 §5.6.7).
    case invalidDate(name: String)

    /// The named field is written by the library.
    case reserved(name: String)

    /// The value of the named field has no text; the reason is the end of a sentence.
    case unusableValue(name: String, reason: String)
}

extension HeaderFieldError: DescribedError {
    /// One sentence that names the field.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "The header field name \(name.debugDescription) is not a token: "
                + "use letters, digits and !#$%&'*+-.^_`|~ only."
        case .invalidValue(let name):
            "The value of the header field '\(name)' contains a control character, which field values must not contain."
        case .colonInUserName:
            "The user name of a Basic credential contains a colon, at which the server would end the name."
        case .missingCredential:
            "The request requires a credential, but none was given."
        case .invalidRange:
            "The byte range of the header field 'Range' begins before the first byte or is empty."
        case .weakEntityTag(let name):
            "The entity tag of the header field '\(name)' is weak: only a strong tag guarantees equal bytes."
        case .missingCondition(let name):
            "The header field '\(name)' has no entity tag, so the request would have no condition."
        case .invalidDate(let name):
            "The date of the header field '\(name)' is outside the years 0001 to 9999, which HTTP can write."
        case .reserved(let name):
            "The header field '\(name)' cannot be set here: the part of a form writes it itself."
        case .unusableValue(let name, let reason):
            "The value of \(name.isEmpty ? "the header fields" : "the header field '\(name)'") cannot be written: it "
                + "\(reason)."
        }
    }
}
