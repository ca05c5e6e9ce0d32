/// A request as an HTTP/2 server knows it without decoding its fields (RFC 7541): by its stream and its content.
package struct HTTP2Request: Sendable, Equatable {
    /// Counts connections, and the requests of all connections as they were complete; from 0.
    package let connection: Int
    package let number: Int
    package let stream: UInt32
    package let body: [UInt8]
}
