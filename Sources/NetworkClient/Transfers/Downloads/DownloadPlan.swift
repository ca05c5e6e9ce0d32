import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is to be done with a response, depending on the bytes that the file holds: a pure function (RFC 9110 §14,
/// §15.3.7, §15.5.17).
enum DownloadPlan {
    /// The file holds all bytes already.
    case complete
    case write(DownloadPart)
    /// The response does not continue the bytes of the file.
    case beginAgain
    /// The response does not carry the resource.
    case nothing

    /// What the file holds.
    struct Held: Sendable {
        let count: Int
        let validator: Validator?
        let total: Int?
        /// Whether the request asked for the remaining bytes.
        let hasAsked: Bool
        /// Whether the last bytes are those of a part that is open.
        let isOpen: Bool
    }

    /// Throws for a part of the whole that nobody asked for.
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

    /// Whether the body of a response with that status is the resource, or a part of it, and not a message about it or
    /// about something else (RFC 9110 §15.3, §9.3.2).
    static func carriesResource(_ status: Int, to request: URLRequest) -> Bool {
        [200, 203, 206].contains(status) && request.httpMethod != "HEAD"
    }

    /// Whether the remaining bytes can be asked for: only GET has ranges (RFC 9110 §14.2), and a `Range` of the
    /// caller's is left alone.
    static func canContinue(_ request: URLRequest) -> Bool {
        request.httpMethod ?? "GET" == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    }

    /// The part that a response is; nil if it does not continue the bytes of the file.
    private static func next(of held: Held, _ head: ResponseHead, _ request: URLRequest) -> DownloadPart? {
        guard held.validator?.contradicts(head) == false, !head.isCoded else { return nil }
        let part = head.contentRange
        guard let range = part?.range else {
            // Nothing follows: `Content-Range` cannot express that, so servers leave it out or send one that is
            // invalid.
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
        let detail = "the server sends a part that was not asked for"
        throw TransportError(.malformedResponse, request: request, detail: detail)
    }
}

/// The part of a resource that a body is.
struct DownloadPart: Sendable {
    /// Its first byte in the whole.
    let start: Int
    /// The byte after its last; nil if that is where the body ends.
    let end: Int?
    /// The bytes of the whole; nil if that is not known.
    let total: Int?
    let validator: Validator?

    /// Whether nothing says that the resource ends where the part does: a server may send less than was asked for.
    var isOpen: Bool { end != nil && total == nil }
}

extension ResponseHead {
    fileprivate var contentRange: ContentRange? { value(of: "Content-Range").flatMap(ContentRange.init) }
}
