import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is to be done with an answer, by what has come already: a pure function (RFC 9110 §14, §15.3.7, §15.5.17).
enum DownloadPlan {
    /// All has come already.
    case complete
    case write(DownloadPart)
    /// It is no part of what has come.
    case beginAgain

    /// What has come already.
    struct Held: Sendable {
        let count: Int
        let validator: Validator?
        let total: Int?
        /// Whether the request asked for the rest of it.
        let hasAsked: Bool
    }

    /// Throws for a part of the whole that nobody asked for.
    init(for head: ResponseHead, to request: URLRequest, holding held: Held) throws {
        switch head.status {
        case 416 where held.hasAsked:
            let total = head.value(of: "Content-Range").flatMap(ContentRange.init)?.total
            self = total == held.count && held.validator?.contradicts(head) == false ? .complete : .beginAgain
        case 206 where held.hasAsked:
            self = Self.next(of: held, head).map(DownloadPlan.write) ?? .beginAgain
        default:
            try Self.checkWhole(head, request)
            let validator = Self.canContinue(request) ? Validator(of: head) : nil
            let total = head.bodyLength(of: request)
            self = .write(DownloadPart(start: 0, end: nil, total: total, validator: validator))
        }
    }

    /// Only GET has ranges (RFC 9110 §14.2), and one of the caller's own is for the caller.
    static func canContinue(_ request: URLRequest) -> Bool {
        request.httpMethod ?? "GET" == "GET" && request.value(forHTTPHeaderField: "Range") == nil
    }

    /// The part that an answer is; nil if it does not continue what has come.
    private static func next(of held: Held, _ head: ResponseHead) -> DownloadPart? {
        guard let part = head.value(of: "Content-Range").flatMap(ContentRange.init), let range = part.range,
            range.lowerBound <= held.count,
            held.validator?.contradicts(head) == false,
            head.value(of: "Content-Encoding") == nil,
            held.total == nil || part.total == nil || held.total == part.total
        else { return nil }
        return DownloadPart(
            start: range.lowerBound,
            end: range.upperBound,
            total: part.total ?? held.total,
            validator: held.validator
        )
    }

    private static func checkWhole(_ head: ResponseHead, _ request: URLRequest) throws {
        guard head.status == 206, request.value(forHTTPHeaderField: "Range") == nil else { return }
        let part = head.value(of: "Content-Range").flatMap(ContentRange.init)
        if let range = part?.range, range.lowerBound == 0, range.upperBound == part?.total { return }
        let detail = "the server sends a part that was not asked for"
        throw TransportError(.malformedResponse, request: request, detail: detail)
    }
}
