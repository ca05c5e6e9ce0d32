/// The machine's own address in one of the two families.
package enum Loopback: Sendable {
    case ipv4
    case ipv6

    package var address: String {
        self == .ipv4 ? "127.0.0.1" : "::1"
    }

    /// As it stands in a URL.
    package var host: String {
        self == .ipv4 ? "127.0.0.1" : "[::1]"
    }
}
