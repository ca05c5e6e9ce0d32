/// The values that a record or a cURL command masks in header fields, query items, and fields of forms and JSON.
///
/// Use ``sensitive``, the default, or ``allowing(_:)`` if only values that you list may be shown. A masked value is
/// `***`, whatever its length. Names are compared without case and punctuation: `access_token`, `accessToken` and
/// `Access-Token` are equal. In JSON, the value of an entry such as `{"name": "pin", "value": 1}` is masked by the name
/// `pin`, unless `value` is shown. User and password in a URL are masked unless everything is shown; a path is always
/// shown, except for values that tell by themselves that they are secret: a JSON Web Token, a private key in PEM, a
/// `Bearer` credential, and keys with the documented prefix of a well-known service. In XML and other text, nothing
/// else is masked.
public struct LogRedaction: Hashable, Sendable {
    private enum Rest {
        case sensitiveHidden, hidden, shown
    }

    /// The text that replaces a masked value.
    public static let maskText = "***"

    private let rest: Rest
    private(set) var hiddenNames: Set<String> = []
    private var shownNames: Set<String> = []

    private init(rest: Rest) {
        self.rest = rest
    }

    /// Masks values whose name marks a secret: credentials, cookies, tokens, keys, passwords, signatures, codes.
    public static let sensitive = LogRedaction(rest: .sensitiveHidden)

    /// Masks nothing.
    ///
    /// For debugging only: such a log must not leave the machine.
    public static let showingEverything = LogRedaction(rest: .shown)

    /// Returns a redaction that masks everything except some header fields, query items, and fields of forms and JSON.
    ///
    /// The name of a JSON object shows only its structure: list the names of the values inside, too. Bodies without
    /// names show only their size.
    public static func allowing(_ names: [String]) -> LogRedaction {
        LogRedaction(rest: .hidden).showing(names)
    }

    /// Returns a copy that also masks the values of these header fields, query items, and fields of forms and JSON.
    public func masking(_ names: [String]) -> LogRedaction {
        var copy = self
        let keys = names.map(SensitiveNames.key)
        copy.hiddenNames.formUnion(keys)
        copy.shownNames.subtract(keys)
        return copy
    }

    /// Returns a copy that also shows the values of these header fields, query items, and fields of forms and JSON.
    ///
    /// Values that tell by themselves that they are secret stay masked.
    public func showing(_ names: [String]) -> LogRedaction {
        var copy = self
        let keys = names.map(SensitiveNames.key)
        copy.shownNames.formUnion(keys)
        copy.hiddenNames.subtract(keys)
        return copy
    }

    /// Returns a URL without user, password and fragment, and with masked query values.
    public func text(of url: URL) -> String {
        maskedURL(url.absoluteString)
    }
}

// MARK: - Decisions

extension LogRedaction {
    /// Returns a copy that also masks names that a client declares sensitive, except names that are explicitly shown.
    package func maskingUnlessShown(_ names: [String]) -> LogRedaction {
        guard rest != .shown, !names.isEmpty else { return self }
        return masking(names.filter { !shownNames.contains(SensitiveNames.key($0)) })
    }

    /// Whether no value is ever masked.
    var showsEverything: Bool { rest == .shown && hiddenNames.isEmpty }

    /// Whether values without a name are masked.
    var hidesUnnamed: Bool { rest == .hidden }

    /// Returns whether the value of a header field, a query item, or a field of a form or of JSON is masked.
    func hides(_ name: String) -> Bool {
        hides(name, isSecret: SensitiveNames.contains(name))
    }

    /// Returns whether a number in JSON is masked; the number of a language model's tokens is no secret.
    func hides(number name: String) -> Bool {
        hides(name, isSecret: !SensitiveNames.countsTokens(name) && SensitiveNames.contains(name))
    }

    /// Returns whether the value of an item of a query or a form is masked.
    ///
    /// `state` is a secret only in the query of an OAuth authorization: elsewhere it is a word, as in `state=open`.
    func hides(item name: String, inAuthorization: @autoclosure () -> Bool) -> Bool {
        hides(name, isSecret: SensitiveNames.contains(name) || name == "state" && inAuthorization())
    }

    /// Returns whether a text contains the query of an OAuth authorization request or response (RFC 6749 §4.1).
    static func hasAuthorization(_ text: [UInt8]) -> Bool {
        ["?client_id=", "&client_id=", "?code=", "&code="].contains { ASCII.contains($0.utf8, in: text) }
    }

    /// Whether the values of entries such as `{"name": "pin", "value": 1}` are masked by their names.
    var hidesEntries: Bool { !showsEverything && !hidesUnnamed && !shownNames.contains("value") }

    private func hides(_ name: String, isSecret: @autoclosure () -> Bool) -> Bool {
        if !hiddenNames.isEmpty || !shownNames.isEmpty {
            let key = SensitiveNames.key(name)
            if hiddenNames.contains(key) { return true }
            if shownNames.contains(key) { return false }
        }
        return switch rest {
        case .sensitiveHidden: isSecret()
        case .hidden: true
        case .shown: false
        }
    }
}

// MARK: - Masking

extension LogRedaction {
    /// Returns the value of a header field with secrets masked, cut at a number of bytes.
    ///
    /// A mask for the field takes precedence over the redaction. A value that is shown may still contain a URL with a
    /// token.
    package func shown(_ value: String, of name: String, masks: [HeaderMasks] = [], limit: Int = .max) -> String {
        let masks = masks.filter { $0.masks(name) }
        guard masks.isEmpty else { return Self.cut(masks.reduce(value) { $1.map($0) }, at: limit) { $0 } }
        return hides(name) ? Self.maskText : Self.cut(value, at: limit) { maskedText($0) }
    }

    /// Returns a URL without user, password and fragment, and with masked query values, cut at a number of bytes.
    func maskedURL(_ url: String, limit: Int = .max) -> String {
        guard !showsEverything, !isHarmless(url: url) else { return Self.cut(url, at: limit) { $0 } }
        let url = Self.maskedUser(url)
        // A fragment is never sent, and can contain tokens (RFC 6749 §4.2.2).
        return Self.cut(String(Substring(url.utf8.prefix { $0 != UInt8(ascii: "#") })), at: limit) { text in
            let place = String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "?") }))
            let shown = isHarmless(url: place) ? place : maskedText(place)
            guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return shown }
            return "\(shown)?\(maskedQuery(text[text.utf8.index(after: mark)...]))"
        }
    }

    /// Masks user and password in an address without `//`, such as `user:password@host`.
    ///
    /// The password may end at any `@`.
    private static func maskedUser(_ url: String) -> String {
        guard let at = url.utf8.lastIndex(of: UInt8(ascii: "@")),
            let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), colon < at,
            !url[colon...].hasPrefix("://"), !url.hasPrefix("//")
        else { return url }
        return "\(url[...colon])\(maskText)\(url[at...])"
    }

    /// Changes a text, or the beginning of a long one, whose end is left out.
    private static func cut(_ text: String, at limit: Int, _ change: (String) -> String) -> String {
        guard text.utf8.count > limit else { return change(text) }
        let beginning = BodyText.cut(Array(text.utf8.prefix(limit + 1)), at: limit)
        let rest = text.utf8.count - beginning.count
        return "\(change(String(decoding: beginning, as: UTF8.self)))… (\(rest) more bytes)"
    }

    /// Masks what is secret in any text: a body, the value of a header field, of a query item or of a JSON string.
    func maskedText(_ text: String, layers: Int = 8) -> String {
        guard !showsEverything else { return text }
        var mask = TextMask(text, redaction: self, layers: layers)
        return mask.run()
    }

    /// Masks a query, or the body of a form, keeping all other bytes.
    func maskedQuery(_ query: some StringProtocol) -> String {
        guard !showsEverything else { return String(query) }
        var query = String(query)
        if query.utf8.contains(UInt8(ascii: "\"")) {
            // Text that isn't percent-encoded may be JSON, with `&` and `=` in its values.
            query = String(maskedText("?" + query).dropFirst())
            let json = RedactedJSON.render(Array(query.utf8), redaction: self, isPretty: false)
            if let json, json.isValid { return String(decoding: json.text, as: UTF8.self) }
        }
        lazy var isAuthorization = Self.hasAuthorization(Array("?\(query)".utf8))
        let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item -> String in
            guard let equals = item.firstIndex(of: "=") else {
                return hidesUnnamed && !item.isEmpty || holdsSecret(item) ? Self.maskText : String(item)
            }
            let name = item[..<equals]
            guard !holdsSecret(name) else { return Self.maskText }
            let isHidden =
                hides(item: Self.decoded(name), inAuthorization: isAuthorization)
                || holdsSecret(item[item.index(after: equals)...])
            return isHidden ? "\(name)=\(Self.maskText)" : String(item)
        }
        return items.joined(separator: "&")
    }

    /// Returns whether escaped text is a URL, JSON, or other text that contains a secret.
    private func holdsSecret(_ text: some StringProtocol) -> Bool {
        guard !Self.isShortWord(text.utf8) else { return false }
        let text = Self.decoded(text)
        return maskedText(text) != text
    }

    /// Returns the decoded name or value of a form; invalid escapes are kept.
    static func decoded(_ text: some StringProtocol) -> String {
        text.utf8.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }.withUnsafeBufferPointer {
            String(decoding: Array(PercentDecoder($0)), as: UTF8.self)
        }
    }
}

// MARK: - Errors

extension LogRedaction {
    /// Returns an error as one line without secrets.
    ///
    /// Errors of this library are shown in full. Of other errors, only the type, the case and the code are shown, since
    /// their texts may quote anything.
    public func text(of error: any Error) -> String {
        guard !(error is CancellationError) else { return "cancelled" }
        let type = type(of: error)
        // Checks the static type: a value of any error type can be cast to the `NSError` that it bridges to.
        let describesItself = type is any DescribedError.Type
        return PrintableText.line(maskedText(describesItself ? String(describing: error) : Self.name(of: error)))
    }

    private static func name(of error: any Error) -> String {
        let type = typeName(of: error)
        if let name = caseName(of: error) { return "\(type).\(name)" }
        if Swift.type(of: error) is any CustomNSError.Type, let error = error as? any CustomNSError {
            return "\(type) (\(domain(of: error)) \(error.errorCode))"
        }
        if Swift.type(of: error) is NSError.Type, let error = (error as AnyObject) as? NSError {
            return "\(type) (\(error.domain) \(error.code))"
        }
        return type
    }

    /// Returns the name of the type without its module.
    private static func typeName(of error: any Error) -> String {
        let parts = String(reflecting: type(of: error)).split(separator: ".").filter { !$0.hasPrefix("(") }
        return parts.dropFirst(parts.count > 1 ? 1 : 0).joined(separator: ".")
    }

    private static func domain<Failure: CustomNSError>(of error: Failure) -> String {
        Failure.errorDomain
    }

    /// Returns the name of an enum's case without its values; nil if the type customises its description.
    private static func caseName(of error: any Error) -> String? {
        let type = type(of: error)
        guard !(type is any CustomReflectable.Type) else { return nil }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return nil }
        if let child = mirror.children.first { return child.label }
        let isCustom =
            type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
            || type is any TextOutputStreamable.Type
        return isCustom ? nil : String(describing: error)
    }
}

/// A custom mask for the values of some header fields, in addition to a ``LogRedaction``.
///
/// Names are compared without case. The mask's closure replaces the redaction's `***`. Several masks for one field are
/// applied in their order.
public struct HeaderMasks: Sendable {
    private let name: String
    private let matchesParts: Bool
    fileprivate let map: @Sendable (String) -> String

    /// Creates a mask for the field with the name.
    ///
    /// The closure returns the text to show for a value, on any thread; ``defaultTransformation`` by default.
    public static func has(name: String, map: (@Sendable (String) -> String)? = nil) -> HeaderMasks {
        HeaderMasks(name: name, matchesParts: false, map: map ?? defaultTransformation)
    }

    /// Creates a mask for every field whose name contains the text.
    ///
    /// The closure returns the text to show for a value, on any thread; ``defaultTransformation`` by default.
    public static func contains(name: String, map: (@Sendable (String) -> String)? = nil) -> HeaderMasks {
        HeaderMasks(name: name, matchesParts: true, map: map ?? defaultTransformation)
    }

    /// Replaces every value with `***`, which hides its length as well.
    public static let defaultTransformation: @Sendable (String) -> String = { _ in LogRedaction.maskText }

    /// Masks `Authorization`, as every redaction except ``LogRedaction/showingEverything`` does anyway.
    public static let authorization = HeaderMasks.has(name: "Authorization")

    /// Returns whether the mask applies to a field.
    fileprivate func masks(_ field: String) -> Bool {
        guard matchesParts else { return ASCII.isSame(name, field) }
        return ASCII.contains(name.lowercased().utf8, in: Array(field.lowercased().utf8))
    }
}
