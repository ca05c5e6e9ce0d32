import NetworkClient

/// The arguments in the syntax of httpie, in which `:8080/items` is `http://localhost:8080/items`.
struct Arguments {
    struct Invalid: Error, CustomStringConvertible { let description: String }
    static let usage = """
        Usage: http [OPTION…] [METHOD] URL [ITEM…]
        Options: -f, -F, -v, -h, -b, -d, -o FILE, -a USER:PASSWORD, -A bearer -a TOKEN, --session NAME,
          --timeout SECONDS, --proxy URL, --verify FILE, --events, --curl, --ignore-stdin, --help, --version
        Items: name=text, name:=JSON, name=@FILE, name:=@FILE, name==query, Name:header, name@FILE, @FILE
        Without items for a body, the standard input is the body. For ws://… and wss://…, its lines are messages.
        """
    private static let shortNames: [Character: String] = [
        "f": "--form", "F": "--follow", "v": "--verbose", "h": "--headers", "b": "--body", "d": "--download",
        "I": "--ignore-stdin",
    ]
    private static let switches = Set(shortNames.values).union(["--events", "--curl", "--help", "--version"])
    private static let valued: Set = ["-o", "-a", "-A", "--session", "--timeout", "--proxy", "--verify"]
    private(set) var given: Set<String> = []
    private(set) var values: [String: String] = [:]
    private(set) var timeout: TimeInterval?
    private(set) var url: URL
    private(set) var isWebSocket = false
    private var (method, credential) = (HTTPMethod.get, Credential?.none)
    private var (headers, query, fields, files) = ([HeaderField](), [URLQueryItem](), Params(), [String: URL]())
    private var input: Data?

    init(_ words: [String]) throws {
        url = URL(fileURLWithPath: "/")
        var positional = try readOptions(words)
        guard given.isDisjoint(with: ["--help", "--version"]) else { return }
        timeout = try values["--timeout"].map { text in
            guard let seconds = Double(text), seconds > 0 else { throw Invalid(description: "'\(text)' is no time.") }
            return seconds
        }
        let hasVerb = positional.count > 1 && positional[0] != "localhost" && !positional[0].contains(/[^a-zA-Z]/)
        let verb = hasVerb ? positional.removeFirst().uppercased() : nil
        guard !positional.isEmpty else { throw Invalid(description: "The URL is missing.\n\(Self.usage)") }
        let place = positional[0].hasPrefix(":") ? "localhost\(positional.removeFirst())" : positional.removeFirst()
        isWebSocket = place.starts(with: /(?i)wss?:\/\//)
        let isWhole = place.starts(with: /[a-zA-Z]+:\/\//)
        url = try URL(http: isWhole ? place.replacing(/^(?i)ws/, with: "http") : "http://\(place)")
        for item in positional { try add(item) }
        let name = url.lastPathComponent
        if given.contains("--download"), values["-o"] == nil, name.contains("/") || ["", ".", ".."].contains(name) {
            throw Invalid(description: "The URL names no file: use -o FILE.")
        }
        if given.contains("--download") { values["file"] = values["-o"] ?? name } else { values["file"] = values["-o"] }
        let hasInput = !isWebSocket && !given.contains("--ignore-stdin") && isatty(STDIN_FILENO) == 0
        if fields.isEmpty, files.isEmpty, hasInput {
            input = try FileHandle.standardInput.readToEnd()
        }
        method = try verb.map(HTTPMethod.init) ?? (fields.isEmpty && files.isEmpty && input == nil ? .get : .post)
        guard let secret = values["-a"] else { return }
        let parts = secret.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (values["-A"] ?? "basic", parts.count) {
        case ("bearer", _): credential = .bearer(secret)
        case ("basic", 2): credential = try .basic(user: parts[0], password: parts[1])
        default: throw Invalid(description: "'-a' needs USER:PASSWORD, or '-A bearer' and a token.")
        }
    }
    /// Reads the options, and returns the other words.
    private mutating func readOptions(_ words: [String]) throws -> [String] {
        var (rest, positional) = (words.makeIterator(), [String]())
        while let word = rest.next() {
            if Self.switches.contains(word) {
                given.insert(word)
            } else if Self.valued.contains(word) {
                guard let value = rest.next() else { throw Invalid(description: "'\(word)' needs a value.") }
                values[word] = value
            } else if word.hasPrefix("-") {
                let names = word.dropFirst().map { Self.shortNames[$0] }
                guard !names.isEmpty, !names.contains(nil) else {
                    throw Invalid(description: "'\(word)' is not an option.\n\(Self.usage)")
                }
                given.formUnion(names.compactMap { $0 })
            } else {
                positional.append(word)
            }
        }
        return positional
    }
    private mutating func add(_ item: String) throws {
        guard let (_, name, separator, value) = item.wholeMatch(of: /(?s)(.*?)(==|:=|[=:@])(.*)/)?.output else {
            throw Invalid(description: "'\(item)' is not an item, such as name=text, name:=1, name==text or Name:text.")
        }
        switch separator {
        case ":" where value.isEmpty: throw Invalid(description: "'\(item)' has no value.")
        case ":": headers.append(try HeaderField(name: String(name), value: String(value)))
        case "==": query.append(URLQueryItem(name: String(name), value: String(value)))
        case "@": files[String(name)] = URL(fileURLWithPath: String(value))
        case "=": fields[String(name)] = String(decoding: try content(of: value), as: UTF8.self)
        default:
            let json = try content(of: value)
            fields[String(name)] = try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
            guard fields[String(name)] != nil else { throw Invalid(description: "'\(value)' is not JSON.") }
        }
    }

    /// The bytes of a value, or of the file that it names after an `@`.
    private func content(of value: Substring) throws -> Data {
        value.hasPrefix("@") ? try Data(contentsOf: URL(fileURLWithPath: String(value.dropFirst()))) : Data(value.utf8)
    }

    /// Describes the request, with the authorization that a session has kept unless there is another.
    func request(keeping authorization: String?) throws -> RequestBuilder<HeaderStage> {
        let start = URLRequest.method(method, url: url)
        let complete =
            if let input {
                start.bodyData(input, type: given.contains("--form") ? .url() : .json)
            } else if let file = files[""], files.count == 1, fields.isEmpty {
                try start.bodyFile(at: file)
            } else if files[""] != nil {
                throw Invalid(description: "'@FILE' is the whole body.")
            } else if !files.isEmpty {
                try start.bodyMultipart { form in
                    for (name, text) in fields.sorted(by: { $0.key < $1.key }) { form.add(key: name, value: "\(text)") }
                    for (name, file) in files { try form.add(key: name, file: file) }
                }
            } else if given.contains("--form"), !fields.isEmpty {
                try start.bodyForm(params: fields)
            } else {
                try start.bodyJson(params: fields.isEmpty ? nil : fields)
            }
        return complete.add(queryItems: query).headers {
            HeaderField.custom(name: "Authorization", value: authorization)
            if let credential { HeaderField.authorization(credential) }
            headers
        }
    }
}
