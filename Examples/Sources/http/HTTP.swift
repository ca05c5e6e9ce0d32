import NetworkClient
import Terminal

/// A client for the command line in the manner of httpie: `http POST :8080/items name=tea price:=3`.
@main
struct HTTP {
    private struct Log: LogStream { func log(_ record: String, for type: LogType) { report(record) } }
    let (arguments, client): (Arguments, NetworkClient)
    static func main() async {
        let (arguments, session, request): (Arguments, Session?, URLRequest)
        do {
            arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            session = try arguments.values["--session"].map { try Session($0, of: arguments.url) }
            request = try arguments.request(keeping: session?.authorization).build()
        } catch {
            report("http: \(error)")
            exit(EX_USAGE)
        }
        let client = NetworkClient(
            interceptors: [.standardResilience],
            logging: arguments.verbose ? .default(requestLevel: .full, responseLevel: .off, logStream: Log()) : .off,
            configuration: .init(redirects: arguments.follow ? .follow : .never, cookies: session?.cookies)
        )
        do {
            let status = try await HTTP(arguments: arguments, client: client).send(request)
            if !arguments.curl { try session?.save(request.value(forHTTPHeaderField: "Authorization")) }
            exit(status.rawValue < 300 ? EXIT_SUCCESS : Int32(status.rawValue / 100))
        } catch {
            report("http: \(error)")
            let error = error as? NetworkClient.Error
            exit(error?.statusCode.map { Int32($0 / 100) } ?? (error?.isTimeout == true ? 2 : EXIT_FAILURE))
        }
    }

    private func send(_ request: URLRequest) async throws -> HTTPStatus {
        if arguments.curl {
            print(request.curlCommand(redaction: .showingEverything))
        } else if arguments.events {
            for try await event in client.events(request) { Self.write("\(event.type): \(event.data)\n") }
        } else if let file = arguments.values["-o"] {
            return try await download(request, to: URL(fileURLWithPath: file))
        } else {
            let response = try await client.stream(request, options: CallOptions(acceptedStatuses: .all))
            try await show(response)
            if arguments.verbose { Self.report("\(response.journey)") }
            return response.status
        }
        return .ok
    }

    /// Saves the body; the next download requests only the bytes that an interrupted one has left out.
    private func download(_ request: URLRequest, to file: URL) async throws -> HTTPStatus {
        let note = file.appendingPathExtension("resume")
        let token = try? JSONDecoder().decode(ResumeToken.self, from: Data(contentsOf: note))
        let download = client.download(request, to: file, resuming: token, isResumable: true)
        var bar = ProgressBar()
        for await progress in download.progress {
            bar.show(progress)
            if let token = download.resumeToken { try JSONEncoder().encode(token).write(to: note) }
        }
        bar.end()
        let status = try await download.value.status
        try? FileManager.default.removeItem(at: note)
        return status
    }

    /// Prints a response: in a terminal with its fields and indented JSON, elsewhere its bytes; both as they arrive.
    private func show(_ response: NetworkClient.Response<ResponseBody>) async throws {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        if isTerminal || arguments.verbose {
            Self.write(response.fields.reduce("HTTP \(response.status)\n") { $0 + "\($1.name): \($1.value)\n" } + "\n")
        }
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
