import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of a download: asks for the bytes, and for those that are still missing, and has them written to a file.
///
/// Used by one task at a time, but for ``resumeToken``.
final class DownloadedBody: BodyTaker {
    let board = ProgressBoard()
    private let writer: DownloadWriter

    init(_ url: URL, resuming token: ResumeToken?, isKept: Bool) {
        writer = DownloadWriter(url, resuming: token, isKept: isKept)
    }

    var resumeToken: ResumeToken? { writer.resumeToken }

    /// Runs the call with a partial file, which has the name of the destination afterwards, or is removed, or is left
    /// for another download.
    ///
    /// - Returns: The response, and whether its body is at the destination.
    func begin(
        _ request: URLRequest,
        _ call: () async throws -> TransportResponse
    ) async throws -> (response: TransportResponse, isWritten: Bool) {
        try await withTaskCancellationHandler {
            do {
                let destination = try await writer.open()
                let response = try await call()
                let isWritten = carriesResource(response, to: request)
                if isWritten { try await writer.land(response.body.data, at: destination) } else { writer.leave() }
                return (response, isWritten)
            } catch {
                writer.leave(after: error)
                throw error
            }
        } onCancel: {
            writer.willEnd()
        }
    }

    func prepare(_ request: URLRequest) -> URLRequest {
        var request = request
        if request.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            request.set(header: .custom(name: "Accept-Encoding", value: "identity"))
        }
        guard let rest = writer.ask(DownloadPlan.canContinue(request)) else { return request }
        request.set(header: .custom(name: "Range", value: "bytes=\(rest.count)-"))
        request.set(header: .custom(name: "If-Range", value: rest.validator.value))
        return request
    }

    func accepts(_ head: ResponseHead) -> Bool { [206, 416].contains(head.status) && writer.hasAsked }

    var errorLimit: Int { Chain.errorLimit }

    func take(
        _ answer: TransportResponse,
        to request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard writer.beginTaking() else {
            throw TransportError(.unsupported, request: request, detail: "a download cannot be sent twice at a time")
        }
        defer { writer.endTaking() }
        return try await CallScope.withCancellationHandler {
            try await takeAll(answer, request, exchange)
        } onCancel: { [writer] in
            writer.willEnd()
        }
    }

    /// Goes on until the file holds all bytes, with as many exchanges as that takes.
    private nonisolated(nonsending) func takeAll(
        _ answer: TransportResponse,
        _ request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var answer = answer
        // Of the last response with bytes: that nothing follows them may be an error of its own.
        var head = answer.head
        var (isOpen, beginnings, smallParts) = (false, 0, 0)
        while true {
            let held = writer.held(isOpen: isOpen)
            switch try DownloadPlan(for: answer.head, to: request, holding: held) {
            case .nothing:
                // The connection can be used again when nothing is left on it.
                _ = try await answer.body.channel.prefix(limit: Self.mostDropped)
                return TransportResponse(head: answer.head, body: .whole(Data()))
            case .complete:
                answer.body.channel.cancel()
                board.begin(total: held.count, completed: held.count)
                return complete(head)
            case .write(let part):
                try await write(answer.body.channel, part, request)
                guard try isIncomplete(part, request) else { return complete(answer.head) }
                try checkProgress(from: held.count, part, &smallParts, request)
                (head, isOpen) = (answer.head, part.isOpen)
            case .beginAgain:
                answer.body.channel.cancel()
                beginnings += 1
                guard beginnings == 1 else {
                    throw malformed("the server sends another part than was asked for", request)
                }
                writer.forget()
                isOpen = false
            }
            answer = try await exchange(prepare(request))
        }
    }

    private func complete(_ head: ResponseHead) -> TransportResponse {
        writer.isComplete = true
        return TransportResponse(head: head, body: .whole(Data()))
    }

    private func write(_ channel: any BodyChannel, _ part: DownloadPart, _ request: URLRequest) async throws {
        do {
            try writer.begin(part)
            board.begin(total: part.total, completed: part.start)
            var count = part.start
            while let chunk = try await channel.next() {
                guard chunk.count <= part.end.map({ $0 - count }) ?? .max else {
                    throw malformed("the body is longer than its part of the whole", request)
                }
                count = try writer.append(chunk)
                board.advance(to: count)
            }
        } catch {
            channel.cancel()
            throw error
        }
        guard part.end == nil || writer.count == part.end else {
            throw malformed("the body is shorter than its part of the whole", request)
        }
    }

    private func isIncomplete(_ part: DownloadPart, _ request: URLRequest) throws -> Bool {
        guard let total = part.total else { return part.isOpen }
        let count = writer.count
        guard count <= total else { throw malformed("the body is longer than the server says", request) }
        return count < total
    }

    /// Throws unless the remaining bytes can be asked for.
    ///
    /// A server may divide a body as it likes, but one that sends a byte at a time would be asked without end.
    private func checkProgress(
        from before: Int,
        _ part: DownloadPart,
        _ smallParts: inout Int,
        _ request: URLRequest
    ) throws {
        let count = writer.count
        guard count > before, DownloadPlan.canContinue(request), part.validator != nil else {
            throw malformed("the server does not send all of the body", request)
        }
        if count - before < Self.smallPart { smallParts += 1 }
        guard smallParts <= Self.mostSmallParts else {
            throw malformed("the server sends the body in too many parts", request)
        }
    }

    /// Whether the body that was received, or that an interceptor supplied, is to be at the destination.
    private func carriesResource(_ response: TransportResponse, to request: URLRequest) -> Bool {
        switch response.head.status {
        case 416: writer.isComplete
        case 206 where !writer.isComplete && DownloadPlan.canContinue(request): false
        case let status: DownloadPlan.carriesResource(status, to: request)
        }
    }

    private func malformed(_ detail: String, _ request: URLRequest) -> TransportError {
        TransportError(.malformedResponse, request: request, detail: detail)
    }

    private static let smallPart = 1 << 16
    private static let mostSmallParts = 100
    private static let mostDropped = 1 << 16
}
