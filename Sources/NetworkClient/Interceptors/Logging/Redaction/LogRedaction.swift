import NetworkUtilities

/// Which values a record or a cURL command hides, in header fields, query items, and fields of forms, JSON and XML.
///
/// Use ``sensitive``, the default, or ``allowing(_:)`` where only what is known to be harmless may be shown. A hidden
/// value is `***`, whatever its length. Names are compared without case and punctuation: `access_token`, `accessToken`
/// and `Access-Token` are one name. User and password in a URL are hidden unless everything is shown; a path is always
/// shown.
public struct LogRedaction: Hashable, Sendable {
    private enum Rest {
        case sensitiveHidden, hidden, shown
    }

    /// What stands for a hidden value.
    public static let maskText = "***"

    private let rest: Rest
    private var hiddenNames: Set<String> = []
    private var shownNames: Set<String> = []

    private init(rest: Rest) {
        self.rest = rest
    }

    /// Hides what is known to be secret by its name: credentials, cookies, tokens, keys, passwords, signatures, codes.
    public static let sensitive = LogRedaction(rest: .sensitiveHidden)

    /// Hides nothing.
    ///
    /// For debugging only: what is logged then must not leave the machine.
    public static let showingEverything = LogRedaction(rest: .shown)

    /// Hides everything but what is named; bodies in which nothing has a name show their size only.
    ///
    /// - Parameter names: Header fields, query items, and fields of forms and JSON. The name of a JSON object shows its
    ///   place only: each value within needs a name of its own here.
    /// - Returns: The redaction.
    public static func allowing(_ names: [String]) -> LogRedaction {
        LogRedaction(rest: .hidden).showing(names)
    }

    /// A copy that also hides these names.
    ///
    /// - Parameter names: Names as in ``allowing(_:)``.
    /// - Returns: The changed copy.
    public func masking(_ names: [String]) -> LogRedaction {
        var copy = self
        let keys = names.map(SensitiveNames.key)
        copy.hiddenNames.formUnion(keys)
        copy.shownNames.subtract(keys)
        return copy
    }

    /// A copy that also shows these names.
    ///
    /// - Parameter names: Names as in ``allowing(_:)``.
    /// - Returns: The changed copy.
    public func showing(_ names: [String]) -> LogRedaction {
        var copy = self
        let keys = names.map(SensitiveNames.key)
        copy.shownNames.formUnion(keys)
        copy.hiddenNames.subtract(keys)
        return copy
    }
}

extension LogRedaction {
    /// A copy that also hides names that a client calls sensitive; what was asked for explicitly stays shown.
    func maskingUnlessShown(_ names: [String]) -> LogRedaction {
        guard rest != .shown else { return self }
        return masking(names.filter { !shownNames.contains(SensitiveNames.key($0)) })
    }

    /// Whether no value is ever hidden.
    var showsEverything: Bool { rest == .shown && hiddenNames.isEmpty }

    /// Whether a value is hidden that has no name.
    var hidesUnnamed: Bool { rest == .hidden }

    /// Whether the value of a header field is hidden.
    func hides(header name: String) -> Bool {
        hides(name, isSensitive: SensitiveNames.isHeader)
    }

    /// Whether the value of a query item, or of a field of a form or of JSON, is hidden.
    func hides(field name: String) -> Bool {
        hides(name, isSensitive: SensitiveNames.isField)
    }

    /// Whether a value is hidden that follows a name in running text, where `code` or `key` are mere words.
    func hides(inText name: String) -> Bool {
        let key = SensitiveNames.key(name)
        guard !hiddenNames.contains(key) else { return true }
        return rest != .shown && !shownNames.contains(key) && SensitiveNames.holdsTellingPart(key)
    }

    /// Whether the content of an XML element, or the value of an attribute, is hidden: `<code>` and `<key>` are common
    /// and harmless.
    func hides(inMarkup name: String) -> Bool {
        hides(inText: name) || hides(field: name) && !["code", "key"].contains(SensitiveNames.key(name))
    }

    private func hides(_ name: String, isSensitive: (String) -> Bool) -> Bool {
        let key = SensitiveNames.key(name)
        if hiddenNames.contains(key) { return true }
        if shownNames.contains(key) { return false }
        return switch rest {
        case .sensitiveHidden: isSensitive(name)
        case .hidden: true
        case .shown: false
        }
    }
}
