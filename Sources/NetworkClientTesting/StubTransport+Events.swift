extension StubTransport.Response {
    /// An event stream that ends after these events, `seconds` apart on the clock of the transport.
    ///
    /// ```swift
    /// let transport = StubTransport()
    /// transport.on(
    ///     .get("/feed"), .events([.init(data: "first"), .init(data: "second")], every: 1)
    /// )
    /// ```
    public static func events(_ events: [ServerSentEvent], every seconds: TimeInterval = 0, status: Int = 200) -> Self {
        let chunks = events.map { Data($0.lines.utf8) }
        return .chunks(chunks, every: seconds, type: .eventStream, status: status)
    }
}

extension ServerSentEvent {
    /// The event as a server sends it.
    fileprivate var lines: String {
        let data = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
        return (id.isEmpty ? "" : "id: \(id)\n") + (type == "message" ? "" : "event: \(type)\n") + data + "\n"
    }
}
