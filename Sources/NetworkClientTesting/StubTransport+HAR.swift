import JSONDecoding

extension StubTransport {
    /// Creates a transport that replays an HTTP archive (HAR 1.2), as browsers, mitmproxy and Charles export them.
    ///
    /// ```swift
    /// let file = URL(fileURLWithPath: "Fixtures/checkout.har")
    /// let transport = try StubTransport(har: file)
    /// transport.on(.post("/orders"), .status(503))  // takes precedence
    /// ```
    ///
    /// Which requests an entry responds to, and what is replayed, is described in <doc:Testing>.
    ///
    /// - Parameters:
    ///   - file: The URL of the file.
    ///   - time: The clock for timeouts; pass the clock of the client's configuration.
    ///   - otherwise: The response to requests that the archive lacks; if nil, they fail.
    /// - Throws: `BodySourceError` if the file can't be read, ``ArchiveError`` if it is not an archive.
    public convenience init(
        har file: URL,
        time: any TimeSource = SystemTimeSource(),
        otherwise: Response? = nil
    ) throws {
        let archive = try FileBodySource(url: file).contents()
        try self.init(archive: archive, name: file.lastPathComponent, time, otherwise)
    }

    /// Creates a transport that replays the bytes of an HTTP archive, like ``init(har:time:otherwise:)-(URL,_,_)``.
    ///
    /// - Throws: ``ArchiveError`` if the bytes are not an archive.
    public convenience init(
        har archive: Data,
        time: any TimeSource = SystemTimeSource(),
        otherwise: Response? = nil
    ) throws(ArchiveError) {
        try self.init(archive: archive, name: nil, time, otherwise)
    }

    private convenience init(
        archive: Data,
        name: String?,
        _ time: any TimeSource,
        _ otherwise: Response?
    ) throws(ArchiveError) {
        self.init(time: time, otherwise: otherwise)
        var requests: [RecordedRequest] = []
        var responses: [RecordedRequest: [Response]] = [:]
        var failures: [RecordedRequest: Response] = [:]
        for (index, entry) in try HTTPArchive(archive, name: name).log.entries.enumerated() where entry.isExchange {
            let request = RecordedRequest(entry.request)
            if responses[request] == nil { requests.append(request) }
            do throws(DecodingReason) {
                responses[request, default: []] += try entry.replayed().map { [$0] } ?? []
            } catch {
                let place = "log.entries[\(index)].response.content.text"
                throw ArchiveError(name: name, fault: "the value at '\(place)' \(error.description).")
            }
            failures[request] = .failure(entry.response.failureReason("has no response to it"))
        }
        // A stub that was added later takes precedence: one with a body is the narrower one, and one with a mask the
        // wider one.
        let narrower = requests.map { request in (request, (request.body == nil ? 0 : 2) + (request.hasMask ? 0 : 1)) }
        for request in (0...3).flatMap({ rank in narrower.filter { $0.1 == rank }.map(\.0) }) {
            let recorded = responses[request] ?? []
            on(recorded: request.pattern, recorded.isEmpty ? failures[request].map { [$0] } ?? [] : recorded)
        }
    }

    /// A key for entries that respond to the same request, one after another.
    private struct RecordedRequest: Hashable {
        let method: HTTPMethod
        let url: String
        let body: ArchivedBody?

        init(_ request: HTTPArchive.Request) {
            method = request.method
            url = String(request.url.prefix { $0 != "#" })
            body = ArchivedBody(of: request)
        }

        /// Whether the URL accepts any text in some place.
        var hasMask: Bool { url.contains(LogRedaction.maskText) }

        var pattern: Pattern {
            let pattern = Pattern.recorded(method, url)
            guard let body else { return pattern }
            return pattern.and("the recorded body", body.matches) { request in
                request.body.isEmpty ? "there is no body" : "the body is different"
            }
        }
    }
}
