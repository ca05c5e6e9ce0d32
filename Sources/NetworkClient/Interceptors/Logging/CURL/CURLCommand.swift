import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request as a command for a POSIX shell.
struct CURLCommand {
    private enum Body {
        case none
        case text(String)
        case bytes(Data)
        case leftOut(String)
    }

    /// Longer text goes through a pipe, since the system bounds the length of one argument.
    private static let longestArgument = 65_536

    let request: URLRequest
    let redaction: LogRedaction

    var text: String {
        guard let url = request.url else { return "# The request has no URL." }
        let body = body
        // Without `--globoff`, brackets and braces in the URL are patterns to cURL.
        var words = ["curl --globoff", methodOption(body), "--url \(ShellWord.quoted(redaction.text(of: url)))"]
        words += headerOptions(body)
        var before = ""
        switch body {
        case .none:
            break
        case .text(let text) where text.utf8.count <= Self.longestArgument:
            words.append("--data-raw \(ShellWord.quoted(text))")
        case .text(let text):
            before = "printf '%s' \(ShellWord.quoted(text)) | "
            words.append("--data-binary @-")
        case .bytes(let bytes):
            before = "printf \(ShellWord.format(bytes)) | "
            words.append("--data-binary @-")
        case .leftOut(let reason):
            before = "# \(reason)\n"
            words.append("--data-binary @-")
        }
        return before + words.joined(separator: " \\\n  ")
    }

    /// A HEAD that is only named would have cURL wait for a body.
    private func methodOption(_ body: Body) -> String {
        let method = request.httpMethod ?? "GET"
        if method == "HEAD", case .none = body { return "--head" }
        return "--request \(ShellWord.quoted(PrintableText.line(method)))"
    }

    private func headerOptions(_ body: Body) -> [String] {
        var fields = (request.allHTTPHeaderFields ?? [:]).filter { HTTPToken.isValid($0.key) }
        // The length of a body that is masked, or comes through a pipe, is cURL's to tell.
        for name in fields.keys where HeaderField.isSameName(name, "Content-Length") { fields[name] = nil }
        var options = fields.sorted { $0.key.lowercased() < $1.key.lowercased() }.map { name, value in
            let shown = FieldValue.sanitized(redaction.shown(value, of: name, masks: []))
            // `Name:` would remove a field; `Name;` sends one without a value.
            return "--header \(ShellWord.quoted(shown.isEmpty ? "\(name);" : "\(name): \(shown)"))"
        }
        if case .none = body { return options }
        if !fields.keys.contains(where: { HeaderField.isSameName($0, "Content-Type") }) {
            // cURL would call any body a form.
            options.append("--header 'Content-Type:'")
        }
        return options
    }

    private var body: Body {
        guard let data = request.httpBody else {
            guard request.httpBodyStream != nil else { return .none }
            return .leftOut("The body is a stream and cannot be shown: pass its bytes on standard input.")
        }
        guard !data.isEmpty else { return .text("") }
        if redaction.showsEverything {
            return Self.words(data).map { .text($0) } ?? .bytes(data)
        }
        if let masked = masked(data) {
            return Self.words(masked).map { .text($0) } ?? .bytes(masked)
        }
        return .leftOut(
            "The body (\(data.count) bytes) is left out, since secrets in it could not be found; "
                + "ask for everything to see it."
        )
    }

    /// The body with hidden values masked and everything else as it is; nil if its kind is not known.
    private func masked(_ data: Data) -> Data? {
        guard let type = request.value(forHTTPHeaderField: "Content-Type").map({ MediaType($0) }),
            [nil, "utf-8", "utf8", "us-ascii"].contains(type.charset),
            (request.value(forHTTPHeaderField: "Content-Encoding") ?? "identity").lowercased() == "identity",
            let text = Self.utf8(data)
        else { return nil }
        switch BodyKind(type) {
        case .json:
            if let json = RedactedJSON.render(Array(data), redaction: redaction, isPretty: false) {
                return Data(json.text)
            }
            return redaction.hidesUnnamed ? nil : Data(redaction.maskedText(text).utf8)
        case .form: return Data(redaction.maskedQuery(text).utf8)
        case .text: return redaction.hidesUnnamed ? nil : Data(redaction.maskedText(text).utf8)
        case .opaque: return nil
        }
    }

    /// The text, if a shell can be given it as a word and a terminal can show it.
    private static func words(_ data: Data) -> String? {
        let isPlain = data.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 }
        guard isPlain, let text = utf8(data) else { return nil }
        return text.unicodeScalars.contains { (0x80...0x9F).contains($0.value) } ? nil : text
    }

    private static func utf8(_ data: Data) -> String? {
        let text = String(decoding: data, as: UTF8.self)
        return text.utf8.elementsEqual(data) ? text : nil
    }
}
