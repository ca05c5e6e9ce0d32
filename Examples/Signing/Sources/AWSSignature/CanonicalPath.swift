import Crypto
import Foundation

/// How the path of a request is signed: percent-encoded but for its unreserved characters (RFC 3986 §2.3) and slashes.
public struct CanonicalPath: Sendable {
    let isNormalized: Bool
    let isEncodedAgain: Bool

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - isNormalized: Whether empty and dot segments are removed (RFC 3986 §5.2.4); not for S3.
    ///   - isEncodedAgain: Whether the encoded path is encoded once more; not for S3.
    public init(isNormalized: Bool, isEncodedAgain: Bool) {
        self.isNormalized = isNormalized
        self.isEncodedAgain = isEncodedAgain
    }

    func text(of path: String) -> String {
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()[...]
        if isNormalized {
            // A path that ends with a dot segment is that of a folder.
            let isFolder = ["", ".", ".."].contains(segments.last ?? "")
            segments = segments.reduce(into: []) { kept, segment in
                if segment == ".." { _ = kept.popLast() } else if !["", "."].contains(segment) { kept.append(segment) }
            }
            if isFolder { segments.append("") }
        }
        let encoded = segments.map { segment in
            let once = segment.percentDecoded.percentEncoded
            return isEncodedAgain ? once.utf8.percentEncoded : once
        }
        return "/" + encoded.joined(separator: "/")
    }
}

/// The query of a request, sorted by names and values.
enum CanonicalQuery {
    static func text(of query: String?) -> String {
        let pairs = (query ?? "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = sides.count > 1 ? sides[1] : ""
            return (sides[0].percentDecoded.percentEncoded, value.percentDecoded.percentEncoded)
        }
        return pairs.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }
}

/// The fields that are signed, in the order of their names in lower case.
struct CanonicalFields {
    let names: String
    /// A line for each field, and an empty one.
    let text: String

    init(_ fields: [String: String]) {
        let lines = fields.map { name, value in
            (name.lowercased(), value.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        }.sorted { $0.0 < $1.0 }
        names = lines.map(\.0).joined(separator: ";")
        text = lines.map { "\($0):\($1)\n" }.joined()
    }
}

/// A date as `20150830T123600Z`.
struct AWSTimestamp {
    let text: String

    var day: String { String(text.prefix(8)) }

    init(_ date: Date) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func digits(_ part: Int?) -> String { part.map { $0 < 10 ? "0\($0)" : "\($0)" } ?? "00" }
        text =
            digits(parts.year) + digits(parts.month) + digits(parts.day)
            + "T" + digits(parts.hour) + digits(parts.minute) + digits(parts.second) + "Z"
    }
}

extension URLComponents {
    var encodedHost: String? { percentEncodedHost?.lowercased() }
}

extension Substring {
    /// The bytes, without percent-encoding; an incomplete escape stays.
    var percentDecoded: [UInt8] {
        var (bytes, rest) = ([UInt8](), utf8[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

extension Sequence<UInt8> {
    /// The bytes, percent-encoded but for the unreserved characters of RFC 3986 §2.3.
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF")
        return reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// Hexadecimal digits.
    var hex: String {
        let digits = Array("0123456789abcdef")
        return reduce(into: "") { $0 += "\(digits[Int($1 >> 4)])\(digits[Int($1 & 15)])" }
    }
}
