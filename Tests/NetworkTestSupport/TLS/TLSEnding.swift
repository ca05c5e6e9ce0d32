/// How a TLS server ends a connection.
package enum TLSEnding: Sendable {
    /// Says so under TLS, then closes (RFC 8446, section 6.1).
    case closeNotify
    /// Only closes, as somebody in between could do: the client cannot know that nothing is missing.
    case truncation
}
