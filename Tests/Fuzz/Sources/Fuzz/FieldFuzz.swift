import Foundation

@testable import NetworkClient
@testable import NetworkUtilities

/// Heads of responses and their fields.
enum FieldFuzz {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    static func headFault(_ input: [UInt8]) -> String? {
        var head = ResponseHeadLines()
        for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
            (Array(line) + [0x0A]).withUnsafeBytes { head.append($0) }
        }
        if let status = head.status, !(100...999).contains(status) { return "status \(status)" }
        let fields = head.fields()
        for field in fields {
            if field.name.contains(":") { return "the name \(field.name)" }
            // CR, LF and NUL in values are refused elsewhere; a line must not become two.
            if field.value.utf8.contains(0x0A) { return "a line break in \(field.name)" }
        }
        let joined = ResponseFields(fields)
        for field in fields where !joined.values(named: field.name).contains(field.value) {
            return "no value of \(field.name)"
        }
        if let length = BodyFraming.length(in: input), length < 0 { return "length \(length)" }
        _ = (
            head.codings, head.isFinal, head.isComplete, BodyFraming.isUnknownCoding(joined["transfer-encoding"] ?? "")
        )
        return nil
    }

    static func cookieFault(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        let pieces = SetCookieSplitter.split(text)
        var rest = text.utf8[...]
        for piece in pieces {
            guard let range = rest.firstRange(of: piece.utf8) else { return "'\(piece)' is not in the field" }
            rest = rest[range.upperBound...]
        }
        guard let url = URL(string: "https://a.example.com/b/c"), let target = CookieTarget(url) else {
            return "no URL"
        }
        for piece in pieces + [text] {
            guard let field = SetCookie(piece), let cookie = Cookie(field, from: target, now: now) else { continue }
            let store = CookieStore()
            store.receive([piece], from: url, on: SystemTimeSource())
            let stored = store.cookies
            guard stored.count <= 1 else { return "\(stored.count) cookies" }
            guard let data = try? JSONEncoder().encode(stored) else { return "a cookie that can't be encoded" }
            guard (try? JSONDecoder().decode([Cookie].self, from: data)) != nil else {
                return "not read back: \(cookie)"
            }
            let request = store.adding(to: URLRequest(url: url), on: SystemTimeSource())
            let sent = request.value(forHTTPHeaderField: "Cookie") ?? ""
            if sent.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
                return "a control character is sent"
            }
        }
        return nil
    }

    static func linkFault(_ input: [UInt8]) -> String? {
        let (links, isComplete) = WebLink.links(in: String(decoding: input, as: UTF8.self))
        guard isComplete else { return nil }
        let written = links.map { link in
            let relations = link.relations.map(FieldValue.sanitized).joined(separator: " ")
            return "<\(link.target)>; rel=\(QuotedString.quotedIfNeeded(relations))"
                + (link.hasAnchor ? "; anchor=\"x\"" : "")
        }
        let (again, isCompleteAgain) = WebLink.links(in: written.joined(separator: ", "))
        guard isCompleteAgain else { return "not read back: \(written)" }
        return FuzzTarget.difference("links", links, again)
    }

    static func mediaTypeFault(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        let type = MediaType(text)
        if type.value.utf8.contains(where: ASCII.isControl) { return "a control character" }
        let parameters = type.parameters
        for parameter in parameters {
            let first = parameters.first { $0.name == parameter.name }?.value
            guard type.parameter(parameter.name) == first else { return "the parameter \(parameter.name)" }
        }
        let changed = type.setting(parameter: "charset", to: "a\"b\\;c")
        guard changed.parameter("charset") == "a\"b\\;c" else { return "not set in \(changed)" }
        let others = parameters.filter { $0.name != "charset" }
        let kept = changed.parameters.filter { $0.name != "charset" }
        // A quote within a name or a value is closed at its end, so that it can't hide the new parameter.
        let hasQuote = parameters.contains { "\($0.name)\($0.value)".utf8.contains(UInt8(ascii: "\"")) }
        if !hasQuote, let fault = FuzzTarget.difference("after setting", others, kept) { return fault }
        _ = (type.matches("text/*"), type.weighted(0.5), Charset(contentType: text))
        guard let parsed = try? MediaType(parsing: text) else { return nil }
        let areDistinct = Set(parameters.map(\.name)).count == parameters.count
        guard parsed.value == FieldValue.sanitized(text), !areDistinct || parsed.matches(parsed) else {
            return "\(parsed) is not itself"
        }
        guard let made = try? MediaType(type: parsed.type, subtype: parsed.subtype, parameters: parameters) else {
            return "\(parsed) can't be made of its parts"
        }
        return FuzzTarget.difference("made", parameters, made.parameters)
    }

    static func delayFault(_ input: [UInt8]) -> String? {
        let lines = input.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let fields = lines.map { line in
            let name = line.prefix { $0 != ":" }
            return ResponseFields.Field(name: String(name), value: String(line.dropFirst(name.count + 1)))
        }
        for status in [200, 429, 503] {
            guard
                let url = URL(string: "https://h"),
                let head = ReceivedResponse(url: url, status: status, fields: ResponseFields(fields), metrics: nil)
            else { return nil }
            let delays = [
                ServerDelay.seconds(in: head, on: SystemTimeSource()),
                ServerDelay.untilNextRequest(after: head, on: SystemTimeSource()),
            ]
            for case let seconds? in delays where !(seconds >= 0) { return "\(seconds) seconds" }
        }
        return nil
    }
}
