extension Cookie {
    /// What a server says of requests that come from other sites (RFC 6265bis §5.7.7).
    ///
    /// A client that is no browser has no sites, so nothing follows from it.
    public struct SameSite: RawRepresentable, Hashable, Sendable, Codable {
        /// The word in the `SameSite` attribute.
        public let rawValue: String

        /// Takes a word.
        ///
        /// - Parameter rawValue: The word as it stands in the attribute.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The server said nothing, or nothing that is known.
        public static let `default` = SameSite(rawValue: "Default")

        /// From the same site only.
        public static let strict = SameSite(rawValue: "Strict")

        /// From the same site, and when the user follows a link.
        public static let lax = SameSite(rawValue: "Lax")

        /// From everywhere.
        public static let none = SameSite(rawValue: "None")
    }
}
