/// The action for a response to a download, as a pure function of the response and the bytes in the file (RFC 9110 §14,
/// §15.3.7, §15.5.17).
enum DownloadPlan {
    /// The file holds all bytes already.
    case complete
    case write(DownloadPart)
    /// The response does not continue the bytes of the file.
    case beginAgain
    /// The response does not carry the resource.
    case nothing

    /// The bytes in the file, and the last request.
    struct Held: Sendable {
        let count: Int
        let validator: Validator?
        let total: Int?
        /// Whether the request was for the remaining bytes only.
        let hasAsked: Bool
        /// Whether the resource may continue after the last part.
        let isOpen: Bool
    }

    /// Throws for a part of the resource that was not requested.
    init(for head: ResponseHead, to request: URLRequest, holding held: Held) throws {
        switch head.status {
        case 416 where held.hasAsked:
            let total = head.contentRange?.total
            let isEnd = total == held.count || total == nil && held.isOpen
            self = isEnd && held.validator?.contradicts(head) == false ? .complete : .beginAgain
        case 206 where held.hasAsked:
            self = Self.next(of: held, head, request).map(DownloadPlan.write) ?? .beginAgain
        case _ where Self.carriesResource(head.status, to: request):
            try Self.checkWhole(head, request)
            let validator = Self.canContinue(request) ? Validator(of: head) : nil
            let total = head.bodyLength(of: request)
            self = .write(DownloadPart(start: 0, end: nil, total: total, validator: validator))
        default:
            self = .nothing
        }
    }

    /// Returns whether the body of a response with this status is the resource or a part of it, and not a message (RFC
    /// 9110 §15.3, §9.3.2).
    static func carriesResource(_ status: Int, to request: URLRequest) -> Bool {
        [200, 203, 206].contains(status) && request.httpMethod != "HEAD"
    }

    /// Returns whether the remaining bytes can be requested: only GET has ranges (RFC 9110 §14.2), and a `Range` from
    /// the caller is not replaced.
    static func canContinue(_ request: URLRequest) -> Bool {
        request.httpMethod ?? "GET" == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    }

    /// Returns the part that a response carries; nil if it does not continue the bytes in the file.
    private static func next(of held: Held, _ head: ResponseHead, _ request: URLRequest) -> DownloadPart? {
        guard held.validator?.contradicts(head) == false, !head.isCoded else { return nil }
        let part = head.contentRange
        guard let range = part?.range else {
            // Servers omit the field or send an invalid one for an empty part, which `Content-Range` cannot express.
            let isEmpty = head.bodyLength(of: request) == 0 && part?.total ?? held.count == held.count
            guard held.isOpen, isEmpty else { return nil }
            return DownloadPart(start: held.count, end: held.count, total: held.count, validator: held.validator)
        }
        guard range.lowerBound <= held.count, held.count < range.upperBound,
            held.total == nil || part?.total == nil || held.total == part?.total
        else { return nil }
        return DownloadPart(
            start: range.lowerBound,
            end: range.upperBound,
            total: part?.total ?? held.total,
            validator: held.validator
        )
    }

    private static func checkWhole(_ head: ResponseHead, _ request: URLRequest) throws {
        guard head.status == 206, request.value(forHTTPHeaderField: "Range") == nil else { return }
        let part = head.contentRange
        if let range = part?.range, range.lowerBound == 0, range.upperBound == part?.total { return }
        let detail = "the server sends a part that was not requested"
        throw TransportError(.malformedResponse, request: request, detail: detail)
    }
}

/// The part of a resource that the body of a response carries.
struct DownloadPart: Sendable {
    /// The position of its first byte in the resource.
    let start: Int
    /// The position after its last byte; nil if the part ends with the body.
    let end: Int?
    /// The length of the resource; nil if unknown.
    let total: Int?
    let validator: Validator?

    /// Whether the resource may continue after the part: a server may send fewer bytes than requested.
    var isOpen: Bool { end != nil && total == nil }
}

extension ResponseHead {
    fileprivate var contentRange: ContentRange? { value(of: "Content-Range").flatMap(ContentRange.init) }
}

/// The part of a representation that a body carries (RFC 9110 §14.4).
struct ContentRange: Equatable, Sendable {
    /// The positions of the bytes; nil if the requested range cannot be satisfied.
    let range: Range<Int>?
    /// The length of the representation; nil if unknown.
    let total: Int?

    /// Parses a `Content-Range`; nil unless it is `bytes first-last/total`, `bytes first-last/*` or `bytes */total`.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        total = halves[1] == "*" ? nil : Self.number(halves[1])
        guard total != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            range = nil
            guard total != nil else { return nil }
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else { return nil }
        guard first <= last, last < total ?? .max, last < .max else { return nil }
        range = first..<(last + 1)
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(text)
    }
}

/// An identifier for one state of a resource, strong enough to combine parts of it (RFC 9110 §13.1.5).
struct Validator: Equatable, Sendable {
    /// The value for `If-Range`.
    let value: String

    init(value: String) {
        self.value = value
    }

    /// Reads the validator of a response.
    ///
    /// Nil if the response has no strong validator, or if the body differs from the resource: it has a content coding,
    /// or a proxy has changed it (203, RFC 9110 §15.3.4).
    init?(of head: ResponseHead) {
        guard !head.isCoded, head.status != 203 else { return nil }
        if let text = head.value(of: "ETag") {
            guard let tag = try? EntityTag(parsing: text), !tag.isWeak else { return nil }
            value = tag.value
            return
        }
        // A date is strong only if the response was sent after the second that the date names (RFC 9110 §8.8.2.2).
        let now = Date()
        guard let text = head.value(of: "Last-Modified"), let modified = HTTPDate.date(from: text, now: now),
            let sent = head.value(of: "Date").flatMap({ HTTPDate.date(from: $0, now: now) }),
            sent.timeIntervalSince(modified) >= 1
        else { return nil }
        value = text
    }

    /// Returns whether the response's `ETag` or `Last-Modified` differs from this validator.
    func contradicts(_ head: ResponseHead) -> Bool {
        let isTag = value.hasPrefix("\"")
        return head.value(of: isTag ? "ETag" : "Last-Modified").map { $0 != value } ?? false
    }
}
