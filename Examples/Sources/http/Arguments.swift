import NetworkClient

/// The arguments in the syntax of httpie, in which `:8080/items` is `http://localhost:8080/items`.
struct Arguments {
    struct Invalid: Error, CustomStringConvertible { let description: String }
    private static let usage = """
        Usage: http [OPTION…] [METHOD] URL [ITEM…]
        Options: -f, -F, -v, -d, -o FILE, -a USER:PASSWORD, -A bearer -a TOKEN, --session NAME, --events, --curl
        Items: name=text, name:=JSON, name==query, Name:header, name@FILE, @FILE
        """
    private(set) var (form, follow, verbose, download, events, curl) = (false, false, false, false, false, false)
    private(set) var values: [String: String] = [:]
    private(set) var url: URL
    private var (method, credential) = (HTTPMethod.get, Credential?.none)
    private var (headers, query, fields, files) = ([HeaderField](), [URLQueryItem](), Params(), [String: URL]())

    init(_ words: [String]) throws {
        var (rest, positional) = (words.makeIterator(), [String]())
        while let word = rest.next() {
            switch word {
            case "-f", "--form": form = true
            case "-F", "--follow": follow = true
            case "-v", "--verbose": verbose = true
            case "-d", "--download": download = true
            case "--events": events = true
            case "--curl": curl = true
            case "-o", "-a", "-A", "--session":
                guard let value = rest.next() else { throw Invalid(description: "'\(word)' needs a value.") }
                values[word] = value
            case _ where word.hasPrefix("-"): throw Invalid(description: "'\(word)' is not an option.\n\(Self.usage)")
            default: positional.append(word)
            }
        }
        let hasVerb = positional.count > 1 && positional[0] != "localhost" && !positional[0].contains(/[^a-zA-Z]/)
        let verb = hasVerb ? positional.removeFirst().uppercased() : nil
        guard !positional.isEmpty else { throw Invalid(description: "The URL is missing.\n\(Self.usage)") }
        let place = positional[0].hasPrefix(":") ? "localhost\(positional.removeFirst())" : positional.removeFirst()
        url = try URL(http: place.starts(with: /[a-zA-Z]+:\/\//) ? place : "http://\(place)")
        for item in positional { try add(item) }
        let name = url.lastPathComponent
        if download, values["-o"] == nil, name.contains("/") || ["", ".", ".."].contains(name) {
            throw Invalid(description: "The URL names no file: use -o FILE.")
        }
        if download { values["-o"] = values["-o"] ?? name }
        method = try verb.map(HTTPMethod.init) ?? (fields.isEmpty && files.isEmpty ? .get : .post)
        guard let secret = values["-a"] else { return }
        let parts = secret.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (values["-A"] ?? "basic", parts.count) {
        case ("bearer", _): credential = .bearer(secret)
        case ("basic", 2): credential = try .basic(user: parts[0], password: parts[1])
        default: throw Invalid(description: "'-a' needs USER:PASSWORD, or '-A bearer' and a token.")
        }
    }
    private mutating func add(_ item: String) throws {
        guard let (_, name, separator, value) = item.wholeMatch(of: /(?s)(.*?)(==|:=|[=:@])(.*)/)?.output else {
            throw Invalid(description: "'\(item)' is not an item, such as name=text, name:=1, name==text or Name:text.")
        }
        switch separator {
        case ":": headers.append(try HeaderField(name: String(name), value: String(value)))
        case "==": query.append(URLQueryItem(name: String(name), value: String(value)))
        case "@": files[String(name)] = URL(fileURLWithPath: String(value))
        case "=": fields[String(name)] = String(value)
        default:
            fields[String(name)] = try? JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
            guard fields[String(name)] != nil else { throw Invalid(description: "'\(value)' is not JSON.") }
        }
    }

    /// Describes the request, with the authorization that a session has kept unless there is another.
    func request(keeping authorization: String?) throws -> RequestBuilder<HeaderStage> {
        let start = URLRequest.method(method, url: url)
        let complete =
            if let file = files[""], files.count == 1, fields.isEmpty {
                try start.bodyFile(at: file)
            } else if files[""] != nil {
                throw Invalid(description: "'@FILE' is the whole body.")
            } else if !files.isEmpty {
                try start.bodyMultipart { form in
                    for (name, text) in fields.sorted(by: { $0.key < $1.key }) { form.add(key: name, value: "\(text)") }
                    for (name, file) in files { try form.add(key: name, file: file) }
                }
            } else if form, !fields.isEmpty {
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
