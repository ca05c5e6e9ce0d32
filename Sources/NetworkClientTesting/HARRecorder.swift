/// Records the exchanges of another transport as an HTTP archive (HAR 1.2) that ``StubTransport`` replays.
///
/// ```swift
/// let file = URL(fileURLWithPath: "Fixtures/checkout.har")
/// let recorder = HARRecorder(wrapping: NetworkClient().transport)
/// let client = NetworkClient(transport: recorder)
/// try await client.fetch(request: request)
/// try recorder.archive.write(to: file)
///
/// let transport = try StubTransport(har: file)
/// ```
///
/// Each exchange has an entry, in the order in which they began: each redirect, each attempt, and exchanges that
/// interceptors make. Secrets are masked, so that the archive can be committed; a replay accepts any text in place of a
/// mask. <doc:Testing> describes what is recorded, and what isn't masked.
///
/// A client that uses the recorder behaves as with the wrapped transport, and gets streamed bodies without delay. All
/// recorded bodies stay in memory as long as the recorder exists.
public final class HARRecorder: Transport, OpaqueValue {
    private let transport: any Transport
    private let redaction: LogRedaction
    private let recordsMessages: Bool
    private let exchanges = Locked<[RecordedExchange]>([])

    /// Creates a recorder without entries.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - redaction: What is masked in URLs, header fields, forms and JSON.
    ///   - recordsMessages: Whether the messages of WebSockets are recorded, as Chrome does: in `_webSocketMessages` of
    ///     the entry that has opened the socket. Texts are masked as bodies are; the bytes of binary messages aren't. A
    ///     replay leaves such entries out.
    public init(
        wrapping transport: some Transport,
        redaction: LogRedaction = .sensitive,
        recordsMessages: Bool = false
    ) {
        self.transport = transport
        self.redaction = redaction
        self.recordsMessages = recordsMessages
    }

    /// The archive of all exchanges so far, as JSON that is indented and sorted, so that versions can be compared.
    ///
    /// An exchange that has not ended has only what was received of it, and an `_error`.
    ///
    /// - Throws: An error of `JSONSerialization`; none is known to occur.
    public var archive: Data {
        get throws {
            let entries = exchanges.withLock { $0 }.map { $0.entry(redaction) }
            let creator = ["name": "swift-network-client", "version": ""]
            let log: [String: Any] = ["version": "1.2", "creator": creator, "entries": entries]
            let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try JSONSerialization.data(withJSONObject: ["log": log], options: options)
        }
    }

    /// The defaults of the wrapped transport.
    public var defaults: TransportDefaults { transport.defaults }

    /// The name of this transport and the description of the wrapped one.
    public var description: String { "HARRecorder(\(transport))" }

    /// Makes one exchange with the wrapped transport, and records it.
    public func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        let exchange = RecordedExchange(request, sensitiveHeaders: options.sensitiveHeaders)
        exchanges.withLock { $0.append(exchange) }
        do {
            let response = try await transport.send(exchange.recordingBody(of: request), options: options)
            if recordsMessages { response.body.socket.map(exchange.recordMessages) }
            return exchange.receive(response)
        } catch {
            exchange.end(error)
            throw error
        }
    }
}
