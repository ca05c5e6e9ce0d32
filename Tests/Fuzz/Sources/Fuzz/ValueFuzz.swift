import Foundation

@testable import NetworkClient
@testable import NetworkClientTesting
@testable import NetworkUtilities

/// Values that are written by others and by this library: what is written is read back.
enum ValueFuzz {
    static func dateFault(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        if let date = HTTPDate.date(from: text, now: now) {
            let written = HTTPDate.text(of: date)
            guard written.flatMap({ HTTPDate.date(from: $0, now: now) }) == date else {
                return "HTTP date \(date.timeIntervalSince1970) is written as \(written ?? "nil")"
            }
        }
        if let date = InternetDateTime.date(from: text) {
            let written = InternetDateTime.text(of: date)
            let again = written.flatMap(InternetDateTime.date)
            guard let again, abs(again.timeIntervalSince(date)) < 0.001 else {
                return "date \(date.timeIntervalSince1970) is written as \(written ?? "nil")"
            }
            guard InternetDateTime.text(of: again) == written else { return "\(written ?? "") changes" }
        }
        if let date = CookieDate.date(from: input), HTTPDate.text(of: date) == nil {
            return "cookie date \(date.timeIntervalSince1970)"
        }
        return nil
    }

    static func problemFault(_ input: [UInt8]) -> String? {
        guard let problem = ProblemDetails(body: Data(input), contentType: "application/problem+json") else {
            return nil
        }
        guard let data = try? JSONEncoder().encode(problem) else { return nil }
        guard let again = ProblemDetails(body: data, contentType: "Application/Problem+JSON; charset=utf-8") else {
            return "not read back: \(String(decoding: data, as: UTF8.self))"
        }
        let names = FuzzTarget.difference("names", problem.extensionNames, again.extensionNames)
        let texts = [problem, again].map { [$0.type, $0.title, $0.detail, $0.instance, $0.status.map(String.init)] }
        return names ?? FuzzTarget.difference("members", texts[0], texts[1])
    }

    static func templateFault(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        guard let template = try? URITemplate(text) else { return nil }
        guard template.description.utf8.elementsEqual(text.utf8) else { return "the text has changed" }
        let values: [Any] = ["a/ä 1", ["b", "", "c,d"], ["k": "v", "q&": "?#"], "", 17, true]
        for shift in values.indices {
            var variables: Params = [:]
            for (index, name) in template.variableNames.enumerated() {
                variables[name] = values[(index + shift) % values.count]
            }
            // Prefixes of lists are an error.
            guard let expanded = try? template.expand(variables) else { continue }
            if expanded.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) { return "not a URI: \(expanded)" }
        }
        return nil
    }

    /// The lines of the input are names and values in turn.
    static func formFault(_ input: [UInt8]) -> String? {
        let texts = input.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let pairs = stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }
        let items = pairs.map { URLQueryItem(name: $0.0, value: $0.1) }
        var expected: [String: [String]] = [:]
        for (name, value) in pairs { expected[name, default: []].append(value) }
        guard case .data(let form) = URLEncodedForm(items: items).makeContent().storage else { return "no bytes" }
        guard ArchivedBody.form(form) == expected else { return "form \(String(decoding: form, as: UTF8.self))" }

        let builder = MultipartFormBuilder()
        for (name, value) in pairs { builder.add(key: name, value: Data(value.utf8), filename: value) }
        let multipart = builder.form
        guard
            case .data(let body) = multipart.makeContent().storage,
            let type = multipart.mediaType,
            let parts = ArchivedBody.parts(of: body, type: type)
        else { return pairs.isEmpty ? nil : "no multipart form" }
        guard parts.count == pairs.count else { return "\(parts.count) parts of \(pairs.count)" }
        for (part, pair) in zip(parts, pairs) {
            guard part.content == Data(pair.1.utf8) else { return "the content of \(pair)" }
            let name = part.name ?? ""
            guard withoutEscapes(name) == withoutEscapes(pair.0) else { return "the name \(name)" }
        }
        return nil
    }

    /// The bytes of a name of a part, in which an escape can't be told from the same text, without line breaks.
    ///
    /// Of bytes: in a text, an accent after an escape would be a part of its last character.
    private static func withoutEscapes(_ name: String) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), Array(name.utf8)[...])
        while let byte = rest.first {
            if rest.starts(with: "%22".utf8) {
                bytes.append(UInt8(ascii: "\""))
                rest = rest.dropFirst(3)
            } else if rest.starts(with: "%0D".utf8) || rest.starts(with: "%0A".utf8) {
                rest = rest.dropFirst(3)
            } else {
                if byte != 0x0D, byte != 0x0A { bytes.append(byte) }
                rest = rest.dropFirst()
            }
        }
        return bytes
    }

    static func archiveFault(_ input: [UInt8]) -> String? {
        do {
            let transport = try StubTransport(har: Data(input))
            guard transport.complaints.isEmpty else { return "complaints" }
        } catch {
            guard error.description.hasPrefix("The data is not an HTTP archive: ") else { return error.description }
        }
        return nil
    }

    static func redactionFault(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        let redaction = LogRedaction.sensitive
        _ = (redaction.maskedText(text), redaction.maskedURL(text), redaction.maskedQuery(text))
        guard let word = try? JSONEncoder().encode(text) else { return nil }
        let quoted = String(decoding: word, as: UTF8.self)
        let secret = "S3cr3tS3cr3t"
        let json = #"{"a": \#(quoted), "password": "\#(secret)", "b": [\#(quoted)]}"#
        let masked = redaction.maskedText(json)
        return masked.contains(secret) && !text.contains(secret) ? "the password is shown: \(masked)" : nil
    }
}
