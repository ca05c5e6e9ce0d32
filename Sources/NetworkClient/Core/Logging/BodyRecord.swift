/// A body as a record shows it: masked, readable, and truncated.
struct BodyRecord {
    let body: Data
    /// The length of the whole body in bytes; `body` may be only its beginning.
    let length: Int
    let type: MediaType?
    let redaction: LogRedaction
    /// The maximum number of bytes of text.
    let limit: Int

    /// The lines of the record.
    var text: String {
        guard let type, let kind = BodyKind(type), let text = BodyText(body, type: type, limit: window) else {
            return size
        }
        return switch kind {
        case .json: json(text) ?? plain(text)
        case .form: form(text)
        case .text: plain(text)
        }
    }

    private var window: Int { Self.window(for: limit) }

    /// The number of bytes to read: 16 times the limit, since JSON can contain more white space than content.
    static func window(for limit: Int) -> Int {
        min(max(limit, 1024), Int.max / 16) * 16
    }

    private func json(_ text: BodyText) -> String? {
        let isCut = length > min(body.count, window)
        let json = RedactedJSON.render(text.bytes, redaction: redaction, isPretty: true, limit: limit, isCut: isCut)
        return json.map { json in
            guard !json.isValid else { return block(json.text, shown: json.consumed, of: text) }
            let lines = json.text.prefix(1 + (json.text.lastIndex { !TextMask.whiteSpace.contains($0) } ?? -1))
            return block(Array(lines), shown: json.consumed, of: text, after: ", not valid JSON")
        }
    }

    private func form(_ text: BodyText) -> String {
        let shown = BodyText.cut(text.bytes, at: limit)
        let fields = redaction.maskedQuery(String(decoding: shown, as: UTF8.self)).split(separator: "&").map {
            PrintableText.line(LogRedaction.decoded($0))
        }
        return block(Array(fields.joined(separator: "\n").utf8), shown: shown.count, of: text)
    }

    private func plain(_ text: BodyText) -> String {
        guard !redaction.hidesUnnamed else { return size }
        let shown = BodyText.cut(text.bytes, at: limit)
        let masked = redaction.maskedText(String(decoding: shown, as: UTF8.self))
        return block(Array(masked.utf8), shown: shown.count, of: text)
    }

    /// Returns the indented lines, and a line with the number of body bytes that they leave out.
    ///
    /// The lines represent the first `shown` bytes of the text.
    private func block(_ lines: [UInt8], shown: Int, of text: BodyText, after reason: String = "") -> String {
        let block = PrintableText.block(String(decoding: lines, as: UTF8.self))
        let isWhole = shown == text.bytes.count && length <= min(body.count, window)
        let leftOut = isWhole ? 0 : length - text.sourceLength(of: shown)
        return leftOut > 0 ? "\(block)\n  … \(leftOut) more bytes\(reason)" : block
    }

    private var size: String {
        let type = type.map { "\($0.essence), " } ?? ""
        return PrintableText.block("<\(type)\(length) bytes>")
    }
}

extension LogRedaction {
    /// Returns a whole body as text in UTF-8 with masked secrets; nil if the body is not text.
    ///
    /// Bytes that can't be decoded are replaced only in a body that has to be masked.
    package func text(of body: Data, type: MediaType?) -> String? {
        guard let (text, isExact) = Self.text(of: body, type: type) else {
            return hidesUnnamed ? Self.maskText : nil
        }
        let masked = masked(text, type.flatMap(BodyKind.init))
        return isExact || masked != text ? masked : nil
    }

    private func masked(_ text: String, _ kind: BodyKind?) -> String {
        if kind == .form { return maskedQuery(text) }
        if kind == .json, let json = RedactedJSON.render(Array(text.utf8), redaction: self, isPretty: false),
            json.isValid
        {
            return String(decoding: json.text, as: UTF8.self)
        }
        guard !hidesUnnamed || text.isEmpty else { return Self.maskText }
        // The text may be a form whose type does not say so, as some servers send tokens.
        return String(Substring(maskedText("?" + text).utf8.dropFirst()))
    }

    /// Returns the text of a body, and whether all of its bytes could be decoded; nil for bytes that are not text.
    private static func text(of body: Data, type: MediaType?) -> (text: String, isExact: Bool)? {
        let text = String(decoding: body, as: UTF8.self)
        let isUTF8 = text.utf8.elementsEqual(body)
        if isUTF8, [nil, "utf-8", "utf8", "us-ascii"].contains(type?.charset) { return (text, true) }
        guard let type, BodyKind(type) != nil, let decoded = BodyText(body, type: type, limit: .max) else {
            return isUTF8 ? (text, true) : nil
        }
        let other = String(decoding: decoded.bytes, as: UTF8.self)
        return (other, isUTF8 || !other.unicodeScalars.contains("\u{FFFD}"))
    }
}

/// The kinds of bodies that a log shows, because it can find secrets in them.
enum BodyKind {
    case json, form, text

    /// Creates the kind for a media type; nil if bodies of this type can't be shown.
    init?(_ type: MediaType) {
        let essence = type.essence
        if type.isJSON {
            self = .json
        } else if type.isForm {
            self = .form
        } else if essence.hasPrefix("text/") || essence.hasSuffix("+xml") || Self.texts.contains(essence) {
            self = .text
        } else {
            return nil
        }
    }

    private static let texts: Set<String> = [
        "application/graphql", "application/javascript", "application/jsonl", "application/x-ndjson", "application/xml",
        "application/yaml",
    ]
}
