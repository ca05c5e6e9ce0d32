import NetworkClient
import Terminal

/// A client for the command line in the manner of httpie: `http POST :8080/items name=tea price:=3`.
@main
struct HTTP {
    private struct Log: LogStream { func log(_ record: String, for type: LogType) { report(record) } }
    let (arguments, client): (Arguments, NetworkClient)
    static func main() async {
        let (arguments, session, request): (Arguments, Session?, URLRequest)
        let transport: (any Transport)?
        do {
            arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.given.contains("--help") { return write(Arguments.usage + "\n") }
            if arguments.given.contains("--version") { return write("http, swift-network-client 0.1.0\n") }
            transport = try makeTransport(arguments.values["--proxy"], arguments.values["--verify"])
            session = try arguments.values["--session"].map { try Session($0, of: arguments.url) }
            request = try arguments.request(keeping: session?.authorization).build()
        } catch {
            report("http: \(error)")
            exit(EX_USAGE)
        }
        let isVerbose = arguments.given.contains("--verbose")
        let client = NetworkClient(
            baseURL: arguments.url,
            transport: transport,
            interceptors: [.standardResilience],
            logging: isVerbose ? .default(requestLevel: .full, responseLevel: .off, logStream: Log()) : .off,
            configuration: .init(
                redirects: arguments.given.contains("--follow") ? .follow : .never,
                cookies: session?.cookies
            )
        )
        do {
            let status = try await HTTP(arguments: arguments, client: client).send(request)
            if !arguments.given.contains("--curl") {
                try session?.save(request.value(forHTTPHeaderField: "Authorization"))
            }
            exit(status.rawValue < 300 ? EXIT_SUCCESS : Int32(status.rawValue / 100))
        } catch {
            report("http: \(error)")
            let error = error as? NetworkClient.Error
            exit(error?.statusCode.map { Int32($0 / 100) } ?? (error?.isTimeout == true ? 2 : EXIT_FAILURE))
        }
    }

    /// Returns a transport with a proxy or with the certificates of a file; nil for the default one.
    private static func makeTransport(_ proxy: String?, _ roots: String?) throws -> (any Transport)? {
        guard proxy != nil || roots != nil else { return nil }
        #if os(Linux)
        var configuration = CurlTransport.Configuration()
        if let proxy { configuration.proxy = .server(try URL(http: proxy)) }
        if let roots { configuration.security = .init(trustRoots: URL(fileURLWithPath: roots)) }
        return try CurlTransport(configuration: configuration)
        #else
        throw Arguments.Invalid(description: "'--proxy' and '--verify' are the system's settings here.")
        #endif
    }

    private func send(_ request: URLRequest) async throws -> HTTPStatus {
        let options = CallOptions(deadline: arguments.timeout)
        if arguments.given.contains("--curl") {
            print(request.curlCommand(redaction: .showingEverything))
        } else if arguments.given.contains("--events") {
            for try await event in client.events(request, options: options) {
                Self.write("\(event.type): \(event.data)\n")
            }
        } else if arguments.isWebSocket {
            try await talk(request, options)
        } else if let file = arguments.values["file"] {
            return try await download(request, to: URL(fileURLWithPath: file), options)
        } else {
            let all = CallOptions(acceptedStatuses: .all, deadline: arguments.timeout)
            let response = try await client.stream(request, options: all)
            try await show(response)
            if arguments.given.contains("--verbose") { Self.report("\(response.journey)") }
            return response.status
        }
        return .ok
    }

    /// Sends the lines of the standard input as messages, and prints those of the server, until one of the two ends.
    private func talk(_ request: URLRequest, _ options: CallOptions) async throws {
        let socket = try await client.webSocket(request, options: options)
        let isSilent = arguments.given.contains("--ignore-stdin")
        let sending = Task {
            guard !isSilent else { return }
            for await line in StandardInput.lines { try await socket.send(line) }
            try await socket.close()
        }
        // The sender ends when the server's messages do.
        defer { sending.cancel() }
        for try await message in socket {
            switch message {
            case .text(let text): Self.write(text + "\n")
            case .binary(let data): try FileHandle.standardOutput.write(contentsOf: data)
            @unknown default: break
            }
        }
    }

    /// Saves the body; the next download requests only the bytes that an interrupted one has left out.
    private func download(_ request: URLRequest, to file: URL, _ options: CallOptions) async throws -> HTTPStatus {
        let note = file.appendingPathExtension("resume")
        let token = try? JSONDecoder().decode(ResumeToken.self, from: Data(contentsOf: note))
        let download = client.download(request, to: file, resuming: token, isResumable: true, options: options)
        var bar = ProgressBar()
        for await progress in download.progress {
            bar.show(progress)
            if let token = download.resumeToken { try JSONEncoder().encode(token).write(to: note) }
        }
        bar.end()
        let response = try await download.value
        try? FileManager.default.removeItem(at: note)
        if arguments.values["-o"] == nil, let name = Self.fileName(in: response["Content-Disposition"] ?? "") {
            let named = file.deletingLastPathComponent().appending(path: name)
            try? FileManager.default.removeItem(at: named)
            try FileManager.default.moveItem(at: file, to: named)
        }
        return response.status
    }

    /// The file name that a server suggests (RFC 6266), without folders.
    private static func fileName(in disposition: String) -> String? {
        let parameter = disposition.firstMatch(of: /(?i)filename="?([^";]*)"?/)?.output.1
        let name = parameter?.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        return ["", ".", ".."].contains(name) ? nil : name
    }

    /// Prints a response: in a terminal with its fields and indented JSON, elsewhere its bytes; both as they arrive.
    private func show(_ response: NetworkClient.Response<ResponseBody>) async throws {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let isHead = arguments.given.contains("--headers")
        if isHead || (isTerminal || arguments.given.contains("--verbose")) && !arguments.given.contains("--body") {
            Self.write(response.fields.reduce("HTTP \(response.status)\n") { $0 + "\($1.name): \($1.value)\n" } + "\n")
        }
        guard !isHead else { return response.item.cancel() }
        let type = MediaType(response["Content-Type"] ?? "")
        if isTerminal, type.matches(.json) || type.suffix == "json" {
            let data = try await response.item.data()
            let json = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let pretty = try json.map { try JSONSerialization.data(withJSONObject: $0, options: options) }
            Self.write(String(decoding: pretty ?? data, as: UTF8.self) + "\n")
        } else {
            for try await chunk in response.item { try FileHandle.standardOutput.write(contentsOf: chunk) }
        }
    }

    static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }
    static func report(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8)) }
}
