import Foundation
import NetworkUtilities

/// What names one state of a resource well enough to put parts of it together (RFC 9110 §13.1.5).
struct Validator: Equatable, Sendable {
    /// As it stands in `If-Range`.
    let value: String

    init(value: String) {
        self.value = value
    }

    /// Nil if the head has no strong validator, or its body is not what the server keeps: it is coded, or a proxy has
    /// changed it (203, RFC 9110 §15.3.4).
    init?(of head: ResponseHead) {
        guard !head.isCoded, head.status != 203 else { return nil }
        if let text = head.value(of: "ETag") {
            guard let tag = try? EntityTag(parsing: text), !tag.isWeak else { return nil }
            value = tag.value
            return
        }
        // A date is strong only if nothing could change in the second that it names (RFC 9110 §8.8.2.2).
        let now = Date()
        guard let text = head.value(of: "Last-Modified"), let modified = HTTPDate.date(from: text, now: now),
            let sent = head.value(of: "Date").flatMap({ HTTPDate.date(from: $0, now: now) }),
            sent.timeIntervalSince(modified) >= 1
        else { return nil }
        value = text
    }

    /// Whether the response's `ETag` or `Last-Modified` differs from this validator.
    func contradicts(_ head: ResponseHead) -> Bool {
        let isTag = value.hasPrefix("\"")
        return head.value(of: isTag ? "ETag" : "Last-Modified").map { $0 != value } ?? false
    }
}
