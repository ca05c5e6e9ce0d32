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
            self.init(host: String(host), port: port)
        }

        init(host: String, port: Int?) {
            (self.host, self.port) = (CurlAddresses.canonicalIPv6(host) ?? host.lowercased(), port)
        }

        private static func isName(_ host: Substring) -> Bool {
            let characters = Set("-._".utf8)
            return 1...255 ~= host.utf8.count
                && host.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || characters.contains($0) }
        }
    }

    private let places: [Place: Place]

    /// Reads the addresses of a configuration; nil for an empty dictionary.
    ///
    /// - Throws: ``TransportError/Reason/unsupported`` for a text that is neither a host nor an address, and for two
    ///   keys with the same host and port.
    init?(_ addresses: [String: String]) throws {
        guard !addresses.isEmpty else { return nil }
        var places: [Place: Place] = [:]
        for (name, address) in addresses.sorted(by: { $0.key < $1.key }) {
            // Neither is quoted unless it is a host: a URL may have a password.
            guard let key = Place(name), let place = Place(address) else {
                let what = Place(name) == nil ? "a key of the addresses" : "the address of '\(name)'"
                let detail = "\(what) is not a host or an IP address, perhaps with a port"
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
        guard Place(host: place.host, port: port) != Place(host: host, port: origin.port) else { return nil }
        return "::\(place.host.contains(":") ? "[\(place.host)]" : place.host):\(port)"
    }

    /// Returns whether a text is an address of IP.
    static func isIP(_ text: String) -> Bool {
        var ipv4 = in_addr()
        // C would not see what follows a NUL.
        let isIPv4 = !text.utf8.contains(0) && inet_pton(AF_INET, text, &ipv4) == 1
        return isIPv4 || canonicalIPv6(text) != nil
    }

    /// Returns the one spelling of an IPv6 address that has several; nil for any other text.
    private static func canonicalIPv6(_ text: String) -> String? {
        var (address, spelling) = (in6_addr(), [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN)))
        guard text.contains(":"), !text.utf8.contains(0), inet_pton(AF_INET6, text, &address) == 1,
            inet_ntop(AF_INET6, &address, &spelling, socklen_t(spelling.count)) != nil
        else { return nil }
        return spelling.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    /// Returns whether a text is an address of IP, or may be the name of an interface, which has at most 15 bytes.
    static func isLocal(_ text: String) -> Bool {
        isIP(text)
            || 1...15 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"!/:".utf8.contains($0) }
    }
}
#endif
