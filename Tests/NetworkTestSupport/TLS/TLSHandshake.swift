/// What came of one connection's handshake, seen from the server.
package struct TLSHandshake: Sendable, Equatable {
    /// What both sides agreed on; nil if the handshake failed.
    package var version: TLSVersion?
    /// The host that the client asked for (RFC 6066, section 3); nil for an address, which is not asked for.
    package var serverName: String?
    /// What both sides agreed on by ALPN; nil if the client didn't offer what the server
    /// speaks.
    package var applicationProtocol: String?
    /// The name in the client's certificate as RFC 4514 writes it; nil if it showed none, or the handshake failed.
    package var clientSubject: String?
    /// Nil if the handshake succeeded, whatever became of the connection afterwards.
    package var failure: TLSFailure?

    package init(
        version: TLSVersion? = nil,
        serverName: String? = nil,
        applicationProtocol: String? = nil,
        clientSubject: String? = nil,
        failure: TLSFailure? = nil
    ) {
        self.version = version
        self.serverName = serverName
        self.applicationProtocol = applicationProtocol
        self.clientSubject = clientSubject
        self.failure = failure
    }
}
