/// The body of a request in an HTTP archive, in the form in which it is compared.
///
/// JSON and forms are compared by value, since clients order members differently and choose new boundaries.
enum ArchivedBody: Hashable, Sendable {
    /// A part of a multipart form.
    struct Part: Hashable, Sendable {
        let name: String?
        let fileName: String?
        /// Nil for any content: browsers leave out those of files.
        let content: Data?

        func isLike(_ recorded: Part) -> Bool {
            guard ArchivedBody.isLike(name ?? "", recorded.name ?? ""),
                ArchivedBody.isLike(fileName ?? "", recorded.fileName ?? ""), let content
            else { return false }
            return recorded.content.map { ArchivedBody.isSame(content, $0) } ?? true
        }
    }

    case json(Data)
    case form([String: [String]])
    case parts([Part])
    case bytes(Data)

    /// Reads the body of a recorded request; nil if the archive does not contain it, or it is empty.
    init?(of request: HTTPArchive.Request) {
        guard let post = request.postData else { return nil }
        let field = request.headers?.first { HeaderField.isSameName($0.name, "Content-Type") }
        let type = MediaType(post.mimeType ?? field?.value ?? "")
        if let text = post.text, !text.isEmpty {
            self.init(Self.data(text, encoding: post.encoding, count: request.bodySize), type: type)
            if case .parts(let parts) = self { self = .parts(parts.map(Self.withoutEmptyFile)) }
        } else if let parameters = post.params, !parameters.isEmpty {
            let parts = parameters.map {
                Part(name: $0.name, fileName: $0.fileName, content: Data(($0.value ?? "").utf8))
            }
            let values = Dictionary(grouping: parameters, by: \.name).mapValues { $0.map { $0.value ?? "" } }
            self = type.type == "multipart" ? .parts(parts.map(Self.withoutEmptyFile)) : .form(values)
        } else {
            return nil
        }
    }

    /// Reads the body of a request that has been sent, or the text of a recorded one.
    init(_ body: Data, type: MediaType) {
        if type.isJSON, let json = StubTransport.Pattern.normalizedJSON(body) {
            self = .json(json)
        } else if type.isForm {
            self = .form(Self.form(body))
        } else if let parts = Self.parts(of: body, type: type) {
            self = .parts(parts)
        } else {
            self = .bytes(body)
        }
    }

    func matches(_ request: StubTransport.Request) -> Bool {
        let type = MediaType(request[header: "Content-Type"] ?? "")
        switch (self, ArchivedBody(request.body, type: type)) {
        case (.parts(let recorded), .parts(let parts)):
            return parts.count == recorded.count && zip(parts, recorded).allSatisfy { $0.isLike($1) }
        case (.json(let recorded), .json(let json)): return json == recorded || Self.isLike(json: json, recorded)
        case (.form(let recorded), .form(let form)): return Self.isLike(form, recorded)
        case (.bytes(let recorded), _):
            // The text of an archive is in UTF-8, whatever the charset of the body is.
            let text = LogRedaction.showingEverything.text(of: request.body, type: type)
            return Self.isSame(text.map { Data($0.utf8) } ?? request.body, recorded)
        case (let recorded, let sent): return recorded == sent
        }
    }

    /// Decodes the items of a form or a query; the order matters only for items of the same name.
    static func form(_ text: some Collection<UInt8>) -> [String: [String]] {
        func decoded(_ bytes: some Collection<UInt8>) -> String {
            let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            return spaced.withUnsafeBufferPointer { PercentDecoder.text($0) }
        }
        return text.split(separator: UInt8(ascii: "&")).reduce(into: [:]) { items, item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            items[decoded(name), default: []].append(decoded(item[name.endIndex...].dropFirst()))
        }
    }

    /// Charles writes bodies in base64 without stating it.
    private static func data(_ text: String, encoding: String?, count: Double?) -> Data {
        let isUnstated = encoding == nil && count != Double(text.utf8.count)
        if isUnstated || encoding?.lowercased() == "base64", let data = Data(base64Encoded: text) {
            if !isUnstated || count == Double(data.count) { return data }
        }
        return Data(text.utf8)
    }

    /// Exporters read bytes that are not UTF-8 as replacement characters.
    private static func isSame(_ bytes: Data, _ recorded: Data) -> Bool {
        bytes == recorded || isLike(String(decoding: bytes, as: UTF8.self), String(decoding: recorded, as: UTF8.self))
    }

    private static func withoutEmptyFile(_ part: Part) -> Part {
        let isOmitted = part.fileName != nil && part.content?.isEmpty != false
        return isOmitted ? Part(name: part.name, fileName: part.fileName, content: nil) : part
    }

    /// Splits a multipart body (RFC 2046 §5.1.1); nil for any other body.
    static func parts(of body: Data, type: MediaType) -> [Part]? {
        guard type.type == "multipart", let boundary = type.parameter("boundary") else { return nil }
        let delimiter = Data("\r\n--\(boundary)".utf8)
        var rest = Data("\r\n".utf8) + body
        var parts: [Part] = []
        while let start = rest.range(of: delimiter) {
            rest = rest[start.upperBound...]
            guard !rest.starts(with: Data("--".utf8)) else { return parts }
            guard let end = rest.range(of: delimiter), let blank = rest.range(of: Data("\r\n\r\n".utf8)) else {
                return nil
            }
            let head = rest[..<blank.lowerBound]
            let content = blank.upperBound <= end.lowerBound ? Data(rest[blank.upperBound..<end.lowerBound]) : Data()
            let (name, file) = (parameter("name", in: head), parameter("filename", in: head))
            parts.append(Part(name: name, fileName: file, content: content))
        }
        return nil
    }

    /// Finds a parameter of `Content-Disposition`, in which a backslash escapes nothing, and `%22`, `%0D` and `%0A`
    /// stand for characters that would end it (WHATWG HTML, multipart/form-data encoding algorithm).
    private static func parameter(_ name: String, in head: Data) -> String? {
        guard let start = head.range(of: Data("; \(name)=\"".utf8))?.upperBound else { return nil }
        return String(decoding: head[start...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
            .replacingOccurrences(of: "%22", with: "\"")
            .replacingOccurrences(of: "%0D", with: "\r")
            .replacingOccurrences(of: "%0A", with: "\n")
    }
}

// MARK: - Masks

extension ArchivedBody {
    private static let mask = LogRedaction.maskText

    /// Returns whether a text is the recorded one, in which each mask may be any text.
    static func isLike(_ text: String, _ recorded: String) -> Bool {
        var pieces = recorded.components(separatedBy: mask)
        guard pieces.count > 1 else { return text == recorded }
        let (first, last) = (pieces.removeFirst(), pieces.removeLast())
        guard text.hasPrefix(first), text.hasSuffix(last), text.utf8.count >= first.utf8.count + last.utf8.count else {
            return false
        }
        var rest = text.dropFirst(first.count).dropLast(last.count)
        for piece in pieces where !piece.isEmpty {
            guard let range = rest.range(of: piece) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }

    /// Returns whether the items of a form or a query are the recorded ones, of which some may be masked.
    static func isLike(_ items: [String: [String]], _ recorded: [String: [String]]) -> Bool {
        // An item without a name is masked whole.
        let isComplete = recorded[mask] == nil
        return (!isComplete || items.count == recorded.count)
            && recorded.allSatisfy { name, values in
                guard name != mask else { return true }
                return items[name].map { $0.count == values.count && zip($0, values).allSatisfy(isLike) } ?? false
            }
    }

    private static func isLike(json: Data, _ recorded: Data) -> Bool {
        let values = [json, recorded].map { try? JSONSerialization.jsonObject(with: $0, options: .fragmentsAllowed) }
        return isLike(value: values[0], values[1])
    }

    private static func isLike(value: Any?, _ recorded: Any?) -> Bool {
        switch (value, recorded) {
        case (.some, let recorded as String) where recorded == mask: true
        case (let text as String, let recorded as String): isLike(text, recorded)
        case (let members as [String: Any], let recorded as [String: Any]):
            members.count == recorded.count && recorded.allSatisfy { isLike(value: members[$0], $1) }
        case (let elements as [Any], let recorded as [Any]):
            elements.count == recorded.count && zip(elements, recorded).allSatisfy { isLike(value: $0, $1) }
        case (let value as NSObject, let recorded as NSObject): value == recorded
        default: false
        }
    }
}
