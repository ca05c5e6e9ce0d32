import Foundation

extension Cookie: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, value, domain, isHostOnly, path, expires, isSecure, isHTTPOnly, sameSite
    }

    /// Decodes a cookie that was encoded.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError`, also for a cookie that no store would have kept.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        value = try container.decode(String.self, forKey: .value)
        domain = try container.decode(String.self, forKey: .domain)
        isHostOnly = try container.decode(Bool.self, forKey: .isHostOnly)
        path = try container.decode(String.self, forKey: .path)
        expires = try container.decodeIfPresent(Date.self, forKey: .expires)
        isSecure = try container.decode(Bool.self, forKey: .isSecure)
        isHTTPOnly = try container.decode(Bool.self, forKey: .isHTTPOnly)
        sameSite = try container.decode(SameSite.self, forKey: .sameSite)
        do {
            try checkStorable()
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error)
            )
        }
    }

    /// Encodes the cookie, its value included.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(domain, forKey: .domain)
        try container.encode(isHostOnly, forKey: .isHostOnly)
        try container.encode(path, forKey: .path)
        try container.encodeIfPresent(expires, forKey: .expires)
        try container.encode(isSecure, forKey: .isSecure)
        try container.encode(isHTTPOnly, forKey: .isHTTPOnly)
        try container.encode(sameSite, forKey: .sameSite)
    }
}
