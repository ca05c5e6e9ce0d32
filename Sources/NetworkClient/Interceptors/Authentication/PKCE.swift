/// The proof that the app which asked for an authorization code is the one that exchanges it (RFC 7636).
///
/// ```swift
/// let pkce = PKCE()
/// let page = URLRequest.get(url: url).add(queryItems: pkce.queryItems).build().url
/// ```
///
/// The app opens the page in a browser, and exchanges the code that it gets with
/// ``OAuthGrant/authorizationCode(_:redirectURI:pkce:id:secret:parameters:secretInBody:)``. Use a new value for each
/// sign-in. The challenge is always S256: `plain` is not offered, since a client that can compute S256 must use it
/// (§4.2). The text (`description`, `dump`) never shows the verifier.
public struct PKCE: Hashable, Sendable {
    /// The secret that is sent with the code: 43 to 128 letters, digits and `-._~` (§4.1).
    public let verifier: String

    /// Creates a proof from 32 random bytes, as a verifier of 43 characters.
    public init() {
        // The system's generator, which is cryptographically secure on all supported platforms.
        verifier = Self.text(of: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Creates a proof from a verifier that was stored while the browser was open; nil if it isn't valid (§4.1).
    public init?(verifier: String) {
        let isValid = verifier.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "-._~".utf8.contains(byte)
        }
        guard isValid, 43...128 ~= verifier.utf8.count else { return nil }
        self.verifier = verifier
    }

    /// The SHA-256 digest of the verifier in Base64 for URLs (§4.2), which the browser's URL contains.
    public var challenge: String { Self.text(of: SHA2.digest(of: Array(verifier.utf8))) }

    /// The query items of the page that the browser opens: `code_challenge` and `code_challenge_method` (§4.3).
    public var queryItems: [URLQueryItem] {
        [
            URLQueryItem(name: "code_challenge", value: challenge),
            URLQueryItem(name: "code_challenge_method", value: "S256"),
        ]
    }

    /// Returns bytes in Base64 for URLs, without padding (RFC 7636 appendix A).
    private static func text(of bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}

extension PKCE: OpaqueValue {
    /// The name of the type, with the verifier masked.
    public var description: String { "PKCE(***)" }
}

/// SHA-256 (FIPS 180-4 §6.2) of a short message, on all platforms alike: Linux has no CryptoKit.
private enum SHA2 {
    static func digest(of message: [UInt8]) -> [UInt8] {
        // A one, zeros, and the number of bits fill the last block of 64 bytes (§5.1.1).
        let zeros = repeatElement(0 as UInt8, count: (119 - message.count % 64) % 64)
        let padded = message + [0x80] + zeros + bytes(of: UInt64(message.count) * 8)
        var hash: [UInt32] = [
            0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
        ]
        for start in stride(from: 0, to: padded.count, by: 64) {
            hash = zip(hash, mixed(hash, padded[start..<start + 64])).map { $0 &+ $1 }
        }
        return hash.flatMap(bytes)
    }

    /// Returns the eight variables after the 64 rounds of a block.
    private static func mixed(_ hash: [UInt32], _ block: ArraySlice<UInt8>) -> [UInt32] {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
            block[index..<index + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        }
        var v = hash
        for (round, constant) in constants.enumerated() {
            if round >= 16 {
                let (w15, w2) = (words[round - 15], words[round - 2])
                let (low, high) = (turn(w15, 7) ^ turn(w15, 18) ^ w15 >> 3, turn(w2, 17) ^ turn(w2, 19) ^ w2 >> 10)
                words.append(words[round - 16] &+ low &+ words[round - 7] &+ high)
            }
            let choice = v[4] & v[5] ^ ~v[4] & v[6]
            let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
            let first = v[7] &+ (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) &+ choice &+ constant &+ words[round]
            let second = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) &+ majority
            v = [first &+ second, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
        }
        return v
    }

    private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// The constants of the rounds (§4.2.2).
    private static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]
}
