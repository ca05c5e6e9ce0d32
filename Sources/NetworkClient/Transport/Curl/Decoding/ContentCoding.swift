#if os(Linux)
import CCurl

/// A way in which a body is compressed (RFC 9110 §8.4.1).
enum ContentCoding: String, CaseIterable, Sendable {
    case gzip
    case deflate
    /// Brotli (RFC 7932).
    case brotli = "br"
    /// Zstandard (RFC 8878).
    case zstd

    /// Nil if the name is none that this machine has a library for.
    init?(name: String) {
        let name = name.lowercased()
        guard let coding = Self(rawValue: name == "x-gzip" ? "gzip" : name), coding.isKnown else { return nil }
        self = coding
    }

    /// What requests ask for: whatever can be decoded here.
    static let accepted: String = {
        let names = allCases.filter(\.isKnown).map(\.rawValue)
        return names.isEmpty ? "identity" : names.joined(separator: ", ")
    }()

    private var isKnown: Bool { ccurl_can_decode(number) != 0 }

    var number: ccurl_coding {
        switch self {
        case .gzip: CCURL_CODING_GZIP
        case .deflate: CCURL_CODING_DEFLATE
        case .brotli: CCURL_CODING_BROTLI
        case .zstd: CCURL_CODING_ZSTD
        }
    }
}
#endif
