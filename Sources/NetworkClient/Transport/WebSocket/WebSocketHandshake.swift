/// The opening handshake of a WebSocket: what the request has, and what a response with the status 101 must have
/// (RFC 6455 §4.1).
struct WebSocketHandshake: Sendable {
    /// The fields that the handshake owns; a caller's request must not have them.
    static let ownNames = [
        "Connection", "Upgrade", "Sec-WebSocket-Version", "Sec-WebSocket-Key", "Sec-WebSocket-Protocol",
        "Sec-WebSocket-Extensions",
    ]

    private let key: String
    private let protocols: [String]

    /// Creates the handshake of one attempt; no two may have the same key.
    ///
    /// - Parameters:
    ///   - protocols: The subprotocols that are offered, in the order of preference.
    ///   - key: 16 random bytes.
    /// - Throws: ``TransportError/Reason/invalidRequest`` if a subprotocol isn't a token, or is repeated.
    init(
        protocols: [String] = [],
        key: [UInt8] = randomKey()
    ) throws(TransportError) {
        for (index, name) in protocols.enumerated() {
            guard HTTPToken.isValid(name) else {
                throw TransportError(.invalidRequest, detail: "subprotocol \(index + 1) is not a token")
            }
            guard !protocols[..<index].contains(name) else {
                throw TransportError(.invalidRequest, detail: "subprotocol \(index + 1) is offered twice")
            }
        }
        (self.key, self.protocols) = (Data(key).base64EncodedString(), protocols)
    }

    /// Two numbers, since each one is a system call.
    private static func randomKey() -> [UInt8] {
        let numbers = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        return withUnsafeBytes(of: numbers) { [UInt8]($0) }
    }

    /// The fields of the request, which follow those of the caller.
    var fields: [HeaderField] {
        [
            .custom(name: "Connection", value: "Upgrade"), .custom(name: "Upgrade", value: "websocket"),
            .custom(name: "Sec-WebSocket-Version", value: "13"), .custom(name: "Sec-WebSocket-Key", value: key),
        ] + Self.offer(protocols)
    }

    /// Returns the field that offers subprotocols, if there are any.
    static func offer(_ protocols: [String]) -> [HeaderField] {
        protocols.isEmpty
            ? [] : [.custom(name: "Sec-WebSocket-Protocol", value: protocols.joined(separator: ", "))]
    }

    /// Returns the subprotocol of a response with the status 101; nil if the server chose none.
    ///
    /// - Throws: ``TransportError/Reason/malformedResponse`` with the first rule that the response breaks.
    func subprotocol(in fields: ResponseFields) throws(TransportError) -> String? {
        let chosen = fields.values(named: "Sec-WebSocket-Protocol")
        if let rule = brokenRule(fields, chosen) {
            throw Self.wrong(rule)
        }
        return chosen.first
    }

    /// Returns the error for a response that breaks a rule.
    static func wrong(_ rule: String) -> TransportError {
        TransportError(.malformedResponse, detail: "the server's handshake is wrong: \(rule)")
    }

    private func brokenRule(_ fields: ResponseFields, _ chosen: [String]) -> String? {
        let upgrades = fields.values(named: "Upgrade")
        if upgrades.count != 1 || !ASCII.isSame(upgrades[0], "websocket") { return "'Upgrade' is not 'websocket'" }
        if !Self.lists("upgrade", fields.values(named: "Connection")) { return "'Connection' lacks 'Upgrade'" }
        if fields.values(named: "Sec-WebSocket-Accept") != [Self.accept(for: key)] {
            return "'Sec-WebSocket-Accept' does not fit the key"
        }
        if chosen.count > 1 { return "'Sec-WebSocket-Protocol' is there twice" }
        if let name = chosen.first, !protocols.contains(name) { return "the subprotocol was not offered" }
        if !fields.values(named: "Sec-WebSocket-Extensions").isEmpty { return "an extension was not offered" }
        if !fields.values(named: "Transfer-Encoding").isEmpty { return "there is a 'Transfer-Encoding'" }
        if fields.values(named: "Content-Length").contains(where: { Int($0) != 0 }) { return "there is a body" }
        return nil
    }

    /// Returns whether lists of tokens have one, in any letter case.
    private static func lists(_ token: String, _ lines: [String]) -> Bool {
        lines.contains { line in
            line.utf8.split(separator: UInt8(ascii: ",")).contains { part in
                ASCII.isSame(String(decoding: ASCII.trimmed(part), as: UTF8.self), token)
            }
        }
    }

    /// Returns what a server shows of a key (§4.2.2).
    static func accept(for key: String) -> String {
        Data(SHA1.digest(of: (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
    }
}
