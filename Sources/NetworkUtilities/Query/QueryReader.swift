import Foundation

/// Reads the query of a URL as it stands in the text, so that no URL is too odd for it.
enum QueryReader {
    /// The items in their order; nil if the URL has no query.
    static func items(of url: URL) -> [URLQueryItem]? {
        var text = url.absoluteString
        return text.withUTF8 { bytes in
            let head = bytes.prefix { $0 != UInt8(ascii: "#") }
            guard let mark = head.firstIndex(of: UInt8(ascii: "?")) else { return nil }
            return head[(mark + 1)...].split(separator: UInt8(ascii: "&")).map(item)
        }
    }

    private static func item(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> URLQueryItem {
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            return URLQueryItem(name: text(bytes), value: nil)
        }
        return URLQueryItem(name: text(bytes[..<sign]), value: text(bytes[(sign + 1)...]))
    }

    private static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        PercentDecoder.text(UnsafeBufferPointer(rebasing: bytes))
    }
}
