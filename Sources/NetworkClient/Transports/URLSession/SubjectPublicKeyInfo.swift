/// The encoding of a public key whose digest is pinned (RFC 5280 §4.1.2.7), made from the key alone.
///
/// The Security framework returns the key without its algorithm: an RSA key as the sequence of RFC 8017 §A.1.1, and an
/// elliptic-curve key as the uncompressed point of SEC 1 §2.3.3. So the first byte and the length identify the
/// algorithm. Any other kind of key matches no pin.
enum SubjectPublicKeyInfo {
    private static let sequenceTag: UInt8 = 0x30
    private static let bitStringTag: UInt8 = 0x03
    private static let uncompressedPoint: UInt8 = 0x04

    /// Returns the DER form with the algorithm; nil for a key that is neither RSA nor on P-256, P-384 or P-521.
    static func encode(_ key: Data) -> Data? {
        guard let algorithm = algorithm(of: key) else { return nil }
        // The first byte is the number of unused bits at the end.
        let bits = element(bitStringTag, Data([0]) + key)
        return element(sequenceTag, element(sequenceTag, algorithm) + bits)
    }

    private static func algorithm(of key: Data) -> Data? {
        switch (key.first, key.count) {
        case (sequenceTag, _): rsa
        case (uncompressedPoint, 65): ellipticCurve + p256
        case (uncompressedPoint, 97): ellipticCurve + p384
        case (uncompressedPoint, 133): ellipticCurve + p521
        default: nil
        }
    }

    /// Returns an element in DER: the tag, the length and the content (X.690 §8.1).
    static func element(_ tag: UInt8, _ content: Data) -> Data {
        var bytes: [UInt8] = []
        var remaining = content.count
        while remaining > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: remaining), at: 0)
            remaining >>= 8
        }
        // From 128 on, the length is preceded by the number of its bytes.
        let length = content.count < 0x80 ? [UInt8(content.count)] : [0x80 | UInt8(bytes.count)] + bytes
        return Data([tag] + length) + content
    }

    // Object identifiers (tag 6, length and bytes), followed by their parameters.

    /// `rsaEncryption` (1.2.840.113549.1.1.1), whose parameters are null (RFC 3279 §2.3.1).
    private static let rsa = Data([0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0])
    /// `id-ecPublicKey` (1.2.840.10045.2.1), whose parameter is the curve (RFC 5480 §2.1.1).
    private static let ellipticCurve = Data([0x06, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
    /// `secp256r1` (1.2.840.10045.3.1.7).
    private static let p256 = Data([0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    /// `secp384r1` (1.3.132.0.34).
    private static let p384 = Data([0x06, 5, 0x2B, 0x81, 0x04, 0x00, 0x22])
    /// `secp521r1` (1.3.132.0.35).
    private static let p521 = Data([0x06, 5, 0x2B, 0x81, 0x04, 0x00, 0x23])
}
