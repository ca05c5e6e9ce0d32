#if os(Linux)
import CCurl

/// The places to which connections to some origins go in place of the addresses of their names.
struct CurlAddresses: Sendable {
    /// A host with a port, or with any.
    struct Place: Hashable, Sendable {
        /// In lower case; an IPv6 address without its brackets.
        let host: String
        /// Nil for any port, or for that of the URL.
        let port: Int?

        /// Reads `example.com`, `example.com:443`, `192.0.2.1`, `[2001:db8::1]:443` or `2001:db8::1`; nil for any other
        /// text.
        init?(_ text: String) {
            var (host, rest) = (text[...], Substring())
            if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
                (host, rest) = (text[..<end].dropFirst(), text[end...].dropFirst())
                guard host.contains(":") else { return nil }
            } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
                (host, rest) = (text[..<colon], text[colon...])
            }
            guard host.contains(":") ? CurlAddresses.isIP(String(host)) : Self.isName(host) else { return nil }
            let port = rest.first == ":" ? Int(rest.dropFirst()) : nil
            guard rest.isEmpty || rest.utf8.dropFirst().allSatisfy(ASCII.isDigit) && 1...65_535 ~= port ?? 0 else {
                return nil
            }
            (self.host, self.port) = (host.lowercased(), port)
        }

        init(host: String, port: Int?) { (self.host, self.port) = (host, port) }

        private static func isName(_ host: Substring) -> Bool {
            let characters = Set("-._".utf8)
            return 1...255 ~= host.utf8.count
                && host.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || characters.contains($0) }
        }
    }

    private let places: [Place: Place]

    /// Reads the addresses of a configuration; nil if there are none.
    ///
    /// - Throws: ``TransportError/Reason/unsupported`` for a text that is no host or address, and for two that mean the
    ///   same host and port.
    init?(_ addresses: [String: String]) throws {
        guard !addresses.isEmpty else { return nil }
        var places: [Place: Place] = [:]
        for (name, address) in addresses.sorted(by: { $0.key < $1.key }) {
            guard let key = Place(name), let place = Place(address) else {
                let detail = "'\(name)' or its address '\(address)' is not a host or an IP address, perhaps with a port"
                throw TransportError(.unsupported, detail: detail)
            }
            guard places.updateValue(place, forKey: key) == nil else {
                throw TransportError(.unsupported, detail: "'\(name)' has two addresses")
            }
        }
        self.places = places
    }

    /// Returns where connections to an origin go, as libcurl's list has it; nil for the addresses of its name.
    func connection(to origin: Origin) -> String? {
        let host = String(origin.host.drop { $0 == "[" }.prefix { $0 != "]" })
        guard let place = places[Place(host: host, port: origin.port)] ?? places[Place(host: host, port: nil)] else {
            return nil
        }
        let port = place.port ?? origin.port
        guard place.host != host || port != origin.port else { return nil }
        return "::\(place.host.contains(":") ? "[\(place.host)]" : place.host):\(port)"
    }

    /// Returns whether a text is an address of IP.
    static func isIP(_ text: String) -> Bool {
        var (ipv4, ipv6) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, text, &ipv4) == 1 || inet_pton(AF_INET6, text, &ipv6) == 1
    }

    /// Returns whether a text is an address of IP, or may be the name of an interface, which has at most 15 bytes.
    static func isLocal(_ text: String) -> Bool {
        isIP(text)
            || 1...15 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"!/:".utf8.contains($0) }
    }
}
#endif
