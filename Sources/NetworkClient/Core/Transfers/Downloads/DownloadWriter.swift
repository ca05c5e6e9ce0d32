/// Writes the body of a download to a file, and requests the bytes that are still missing.
///
/// Used by one task at a time, except for ``resumeToken``.
final class DownloadWriter: BodyWriter {
    let board = ProgressBoard()
    private let file: DownloadFile
    private let destination = Locked<DownloadDestination?>(nil)

    init(_ url: URL, resuming token: ResumeToken?, isKept: Bool) {
        file = DownloadFile(url, resuming: token, isKept: isKept)
    }

    var resumeToken: ResumeToken? { file.resumeToken }

    /// Runs the call of the download; a partial file is removed after a failure, or kept for another download.
    func run<Value>(_ call: () async throws -> Value) async throws -> Value {
        try await withTaskCancellationHandler {
            do {
                return try await call()
            } catch {
                file.abandon(after: error)
                throw error
            }
        } onCancel: {
            file.willEnd()
        }
    }

    func open() async throws {
        guard destination.withLock({ $0 == nil }) else { return }
        let opened = try await file.open()
        destination.withLock { $0 = opened }
    }

    /// Returns whether the body of the response is at the destination: the partial file has replaced it, or was
    /// removed.
    func finish(_ response: TransportResponse, to request: URLRequest) async throws -> Bool {
        try await open()
        guard carriesResource(response, to: request), let destination = destination.withLock({ $0 }) else {
            file.abandon()
            return false
        }
        try await file.commit(response.body.data, to: destination)
        return true
    }

    func prepare(_ request: URLRequest) -> URLRequest {
        var request = request
        request.acceptNoCoding()
        guard let rest = file.ask(DownloadPlan.canContinue(request)) else { return request }
        request.set(header: .custom(name: "Range", value: "bytes=\(rest.count)-"))
        request.set(header: .custom(name: "If-Range", value: rest.validator.value))
        return request
    }

    func accepts(_ head: ResponseHead) -> Bool { [206, 416].contains(head.status) && file.hasAsked }

    var isTransfer: Bool { true }

    var errorLimit: Int { Chain.errorLimit }

    func write(
        _ response: TransportResponse,
        to request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        guard file.beginWriting() else {
            let detail = "two attempts of a download cannot run at the same time"
            throw TransportError(.unsupported, request: request, detail: detail)
        }
        defer { file.endWriting() }
        return try await CallScope.withCancellationHandler {
            try await writeAll(response, request, exchange)
        } onCancel: { [file] in
            file.willEnd()
        }
    }

    /// Sends requests until the file holds all bytes.
    private nonisolated(nonsending) func writeAll(
        _ response: TransportResponse,
        _ request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var response = response
        // The call returns the head of the last response with bytes: a request for bytes after the last one may get an
        // error (416).
        var head = response.head
        var (isOpen, restarts, smallParts) = (false, 0, 0)
        while true {
            let held = file.held(isOpen: isOpen)
            switch try DownloadPlan(for: response.head, to: request, holding: held) {
            case .nothing:
                // Reads the body so that the connection can be reused.
                _ = try await response.body.channel.prefix(limit: Self.maximumIgnoredLength)
                return TransportResponse(head: response.head, body: .whole(Data()))
            case .complete:
                response.body.channel.cancel()
                board.begin(total: held.count, completed: held.count)
                return complete(head)
            case .write(let part):
                try await write(response.body.channel, part, request)
                guard try isIncomplete(part, request) else { return complete(response.head) }
                try checkProgress(from: held.count, part, &smallParts, request)
                (head, isOpen) = (response.head, part.isOpen)
            case .beginAgain:
                response.body.channel.cancel()
                restarts += 1
                guard restarts == 1 else {
                    throw malformed("the server sends another part than was requested", request)
                }
                file.forgetValidator()
                isOpen = false
            }
            response = try await exchange(prepare(request))
        }
    }

    private func complete(_ head: ResponseHead) -> TransportResponse {
        file.isComplete = true
        return TransportResponse(head: head, body: .whole(Data()))
    }

    private func write(_ channel: any BodyChannel, _ part: DownloadPart, _ request: URLRequest) async throws {
        do {
            try file.begin(part)
            board.begin(total: part.total, completed: part.start)
            var count = part.start
            while let chunk = try await channel.next() {
                guard chunk.count <= part.end.map({ $0 - count }) ?? .max else {
                    throw malformed("the body is longer than the range that the server states", request)
                }
                count = try file.append(chunk)
                board.advance(to: count)
            }
        } catch {
            channel.cancel()
            throw error
        }
        guard part.end == nil || file.count == part.end else {
            throw malformed("the body is shorter than the range that the server states", request)
        }
    }

    private func isIncomplete(_ part: DownloadPart, _ request: URLRequest) throws -> Bool {
        guard let total = part.total else { return part.isOpen }
        let count = file.count
        guard count <= total else { throw malformed("the body is longer than the server states", request) }
        return count < total
    }

    /// Throws an error if the remaining bytes can't be requested.
    ///
    /// A server may send a body in any number of parts. But if it sent one byte in each part, there would be no end of
    /// requests.
    private func checkProgress(
        from before: Int,
        _ part: DownloadPart,
        _ smallParts: inout Int,
        _ request: URLRequest
    ) throws {
        let count = file.count
        guard count > before, DownloadPlan.canContinue(request), part.validator != nil else {
            throw malformed("the server does not send all of the body", request)
        }
        if count - before < Self.smallPartLength { smallParts += 1 }
        guard smallParts <= Self.maximumSmallParts else {
            throw malformed("the server sends the body in too many parts", request)
        }
    }

    /// Returns whether the body that was received, or that an interceptor supplied, is to be written to the
    /// destination.
    private func carriesResource(_ response: TransportResponse, to request: URLRequest) -> Bool {
        switch response.head.status {
        case 416: file.isComplete
        case 206 where !file.isComplete && DownloadPlan.canContinue(request): false
        case let status: DownloadPlan.carriesResource(status, to: request)
        }
    }

    private func malformed(_ detail: String, _ request: URLRequest) -> TransportError {
        TransportError(.malformedResponse, request: request, detail: detail)
    }

    private static let smallPartLength = 1 << 16
    private static let maximumSmallParts = 100
    private static let maximumIgnoredLength = 1 << 16
}
