import Foundation
import NetworkUtilities

/// A body as a record shows it: masked, readable, and cut.
struct BodyRecord {
    let body: Data
    /// The bytes of the whole body, of which `body` may be the beginning.
    let length: Int
    let type: MediaType?
    let redaction: LogRedaction
    /// How many bytes of text to show.
    let limit: Int

    /// The lines of the body.
    var text: String {
        guard let type, BodyKind(type) != .opaque, let text = BodyText(body, type: type, limit: window) else {
            return size
        }
        return switch BodyKind(type) {
        case .json: json(text) ?? plain(text)
        case .form: form(text)
        case .text, .opaque: plain(text)
        }
    }

    /// How much of a body is looked at: some JSON has more white space than content.
    private var window: Int {
        min(max(limit, 1024), Int.max / 16) * 16
    }

    private func json(_ text: BodyText) -> String? {
        let isCut = length > min(body.count, window)
        let json = RedactedJSON.render(
            text.bytes,
            redaction: redaction,
            isPretty: true,
            limit: limit,
            isCut: isCut
        )
        return json.map { block($0.text, leftOut: leftOut(after: $0.consumed, of: text)) }
    }

    private func form(_ text: BodyText) -> String {
        let shown = BodyText.cut(text.bytes, at: limit)
        let fields = redaction.maskedQuery(String(decoding: shown, as: UTF8.self)).split(separator: "&").map {
            PrintableText.line(LogRedaction.decoded($0))
        }
        return block(Array(fields.joined(separator: "\n").utf8), leftOut: leftOut(after: shown.count, of: text))
    }

    private func plain(_ text: BodyText) -> String {
        guard !redaction.hidesUnnamed else { return size }
        let shown = BodyText.cut(text.bytes, at: limit)
        let masked = redaction.maskedText(String(decoding: shown, as: UTF8.self))
        return block(Array(masked.utf8), leftOut: leftOut(after: shown.count, of: text))
    }

    private func leftOut(after shown: Int, of text: BodyText) -> Int {
        let isWhole = shown == text.bytes.count && length <= min(body.count, window)
        return isWhole ? 0 : length - text.sourceLength(of: shown)
    }

    private func block(_ text: [UInt8], leftOut: Int) -> String {
        let block = PrintableText.block(String(decoding: text, as: UTF8.self))
        return leftOut > 0 ? "\(block)\n  … \(leftOut) more bytes" : block
    }

    private var size: String {
        let type = type.map { "\($0.essence), " } ?? ""
        return PrintableText.block("<\(type)\(length) bytes>")
    }
}
