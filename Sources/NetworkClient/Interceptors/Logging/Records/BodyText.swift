import Foundation
import NetworkUtilities

/// The text of a body, or of its beginning, in UTF-8.
struct BodyText {
    /// The text.
    let bytes: [UInt8]

    private let charset: Charset
    private let markLength: Int
    private let source: Data

    /// Reads the beginning of a body; nil if its charset is unknown or its bytes are not text.
    ///
    /// In UTF-8 bytes that are not valid stay, since the text around them is worth reading.
    init?(_ body: Data, type: MediaType, limit: Int) {
        let beginning = body.prefix(limit)
        guard let named = Charset(contentType: type.value) else { return nil }
        (charset, markLength) = named.marked(by: beginning)
        source = beginning.dropFirst(markLength)
        if charset == .utf8 {
            bytes = Array(source)
        } else {
            guard let reading = try? charset.read(source), reading.end != .invalid else { return nil }
            bytes = Array(reading.text.utf8)
        }
        guard !bytes.contains(0) else { return nil }
    }

    /// How many bytes of the body make the first bytes of the text.
    func sourceLength(of count: Int) -> Int {
        let text = bytes.prefix(count)
        guard charset != .utf8 else { return markLength + text.count }
        return markLength + charset.length(of: String(decoding: text, as: UTF8.self), in: source)
    }

    /// The first bytes of a text that are not more than the limit and do not end within a character.
    static func cut(_ bytes: [UInt8], at limit: Int) -> [UInt8] {
        guard bytes.count > limit else { return bytes }
        var end = max(limit, 0)
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }
}
