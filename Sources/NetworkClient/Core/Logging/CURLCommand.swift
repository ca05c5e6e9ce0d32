/// A request as a command for a POSIX shell.
struct CURLCommand {
    private enum Body {
        case none
        case text(String)
        case bytes(Data)
        case leftOut(String)
    }

    /// The maximum length in bytes of a text that is passed as an argument, since the system limits it; longer text is
    /// piped.
    private static let maxArgumentLength = 65_536

    let request: URLRequest
    let redaction: LogRedaction

    var text: String {
        guard let url = request.url else { return "# The request has no URL." }
        let body = body
        // Without `--globoff`, cURL interprets brackets and braces in the URL as patterns.
        var words = ["curl --globoff", methodOption(body), "--url \(Self.quoted(redaction.text(of: url)))"]
        words += headerOptions(body)
        var prefix = ""
        switch body {
        case .none:
            break
        case .text(let text) where text.utf8.count <= Self.maxArgumentLength:
            words.append("--data-raw \(Self.quoted(text))")
        case .text(let text):
            prefix = "printf '%s' \(Self.quoted(text)) | "
        case .bytes(let bytes):
            prefix = "printf \(Self.printfFormat(bytes)) | "
        case .leftOut(let reason):
            prefix = "# \(reason)\n"
        }
        if !prefix.isEmpty { words.append("--data-binary @-") }
        return prefix + words.joined(separator: " \\\n  ")
    }

    /// Returns the option for the method.
    ///
    /// With `--request HEAD`, cURL would wait for a body.
    private func methodOption(_ body: Body) -> String {
        let method = request.httpMethod ?? "GET"
        if method == "HEAD", case .none = body { return "--head" }
        return "--request \(Self.quoted(PrintableText.line(method)))"
    }

    private func headerOptions(_ body: Body) -> [String] {
        // cURL determines the length, since the body may be masked or piped.
        let fields = (request.allHTTPHeaderFields ?? [:]).filter {
            HTTPToken.isValid($0.key) && !ASCII.isSame($0.key, "Content-Length")
        }
        var options = fields.sorted { $0.key.lowercased() < $1.key.lowercased() }.map { name, value in
            let shown = FieldValue.sanitized(redaction.shown(value, of: name, masks: []))
            // `Name:` would remove a field; `Name;` sends one without a value.
            return "--header \(Self.quoted(shown.isEmpty ? "\(name);" : "\(name): \(shown)"))"
        }
        if case .none = body { return options }
        if !fields.keys.contains(where: { ASCII.isSame($0, "Content-Type") }) {
            // By default, cURL declares any body a form.
            options.append("--header 'Content-Type:'")
        }
        return options
    }

    private var body: Body {
        guard let data = request.httpBody else {
            guard request.httpBodyStream != nil else { return .none }
            let form = request.hasContentCoding ? ", in the coding that the command names," : ""
            return .leftOut("The body is a stream and cannot be shown: pass its bytes\(form) on standard input.")
        }
        guard !data.isEmpty else { return .text("") }
        guard let shown = redaction.showsEverything ? data : masked(data) else {
            return .leftOut(
                "The body (\(data.count) bytes) is left out, since secrets can't be found in it; "
                    + "pass LogRedaction.showingEverything to see it."
            )
        }
        return Self.printableText(shown).map { .text($0) } ?? .bytes(shown)
    }

    /// Returns the body with hidden values masked; nil if it is not of a known kind.
    private func masked(_ data: Data) -> Data? {
        guard let type = request.value(forHTTPHeaderField: "Content-Type").map({ MediaType($0) }),
            [nil, "utf-8", "utf8", "us-ascii"].contains(type.charset), !request.hasContentCoding,
            let kind = BodyKind(type), let text = Self.utf8(data)
        else { return nil }
        if kind == .form { return Data(redaction.maskedQuery(text).utf8) }
        if kind == .json, let json = RedactedJSON.render(Array(data), redaction: redaction, isPretty: false) {
            // What follows an error can't be masked by its names.
            return json.isValid ? Data(json.text) : nil
        }
        return redaction.hidesUnnamed ? nil : Data(redaction.maskedText(text).utf8)
    }

    /// Returns the text if it can be a word in a shell and is safe to show in a terminal.
    private static func printableText(_ data: Data) -> String? {
        guard data.allSatisfy({ !ASCII.isControl($0) || $0 == 0x0A }), let text = utf8(data) else { return nil }
        return text.unicodeScalars.contains { (0x80...0x9F).contains($0.value) } ? nil : text
    }

    private static func utf8(_ data: Data) -> String? {
        let text = String(decoding: data, as: UTF8.self)
        return text.utf8.elementsEqual(data) ? text : nil
    }

    /// Returns a text as one word of a shell: in single quotes, with `'\''` for a single quote.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Returns bytes as a quoted format of `printf`: everything except letters and digits is octal, which is
    /// independent of locale, options and quotes.
    private static func printfFormat(_ bytes: Data) -> String {
        var text = "'"
        for byte in bytes {
            if ASCII.isLetter(byte) || ASCII.isDigit(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)"
            }
        }
        return text + "'"
    }
}

extension URLRequest {
    /// Returns a shell command that sends this request with cURL: method, URL, header fields and body.
    ///
    /// The command is for a POSIX shell, with every word in single quotes. Secrets are masked. A body whose secrets
    /// can't be found (a multipart form, an image) is left out unless everything is shown. The command reads a body
    /// that was left out, or a stream, from standard input; a comment on the line before says so.
    ///
    /// With ``LogRedaction/showingEverything``, nothing is masked or left out. A compressed body in memory is decoded,
    /// and `Content-Encoding` left out, if the library can decode it and it has at most 16 MiB then; any other body has
    /// its exact bytes.
    public func curlCommand(redaction: LogRedaction = .sensitive) -> String {
        var request = clearingInstanceCaching()
        if let plain = httpBody.flatMap({ decoded($0, most: Self.longestCommand) })?.bytes {
            request.httpBody = plain
            request.set(header: .custom(name: "Content-Encoding", value: nil))
        }
        return CURLCommand(request: request, redaction: redaction).text
    }

    /// The maximum length in bytes of a body that is decoded for a command.
    private static let longestCommand = 16 << 20
}
