import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of a download: puts what comes into a file, and asks for what is missing.
///
/// Used by one task at a time, but for ``resumeToken``.
final class DownloadedBody: BodyTaker {
    let board = ProgressBoard()
    private let destination: URL
    private let token: ResumeToken?
    private let isKept: Bool
    private let state = Locked(DownloadState())

    init(_ destination: URL, resuming token: ResumeToken?, isKept: Bool) {
        self.destination = destination
        self.token = token
        self.isKept = isKept
    }

    var resumeToken: ResumeToken? { isKept ? state.withLock { $0.token } : nil }

    /// Runs the call with a file to write, which has the name of the destination afterwards, or is gone, or is left for
    /// another download.
    func begin(_ call: () async throws -> TransportResponse) async throws -> TransportResponse {
        do {
            try open()
            let answer = try await call()
            try land(insteadOfTaken: answer.body.data)
            return answer
        } catch {
            leave()
            throw error
        }
    }

    func prepare(_ request: URLRequest) -> URLRequest {
        var request = request
        if request.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            request.set(header: .custom(name: "Accept-Encoding", value: "identity"))
        }
        let rest = state.withLock { state -> (count: Int, validator: Validator)? in
            let count = state.file?.count ?? 0
            let rest = state.validator.flatMap { count > 0 && DownloadPlan.canContinue(request) ? (count, $0) : nil }
            state.hasAsked = rest != nil
            return rest
        }
        guard let rest else { return request }
        request.set(header: .custom(name: "Range", value: "bytes=\(rest.count)-"))
        request.set(header: .custom(name: "If-Range", value: rest.validator.value))
        return request
    }

    func accepts(_ head: ResponseHead) -> Bool { [206, 416].contains(head.status) && state.withLock { $0.hasAsked } }

    func take(
        _ answer: TransportResponse,
        to request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        try beginTaking(request)
        defer { state.withLock { $0.isTaking = false } }
        var answer = answer
        var beginnings = 0
        while true {
            let before = count
            switch try DownloadPlan(for: answer.head, to: request, holding: held) {
            case .complete:
                answer.body.channel.cancel()
                board.begin(total: before, completed: before)
                return complete(answer.head)
            case .write(let part):
                try await write(answer.body.channel, part, request)
                guard try isIncomplete(request) else { return complete(answer.head) }
                // The server gave less than there is, and has to give something each time.
                guard count > before, DownloadPlan.canContinue(request), part.validator != nil else {
                    throw malformed("the server does not send all of the body", request)
                }
            case .beginAgain:
                answer.body.channel.cancel()
                beginnings += 1
                guard beginnings == 1 else {
                    throw malformed("the server sends another part than was asked for", request)
                }
                forget()
            }
            answer = try await exchange(prepare(request))
        }
    }

    /// Two attempts at once would write over each other.
    private func beginTaking(_ request: URLRequest) throws {
        let isFirst = state.withLock { state in
            defer { state.isTaking = true }
            state.isComplete = false
            return !state.isTaking
        }
        guard isFirst else {
            throw TransportError(.unsupported, request: request, detail: "a download cannot be sent twice at a time")
        }
    }

    private func complete(_ head: ResponseHead) -> TransportResponse {
        state.withLock { $0.isComplete = true }
        return TransportResponse(head: head, body: .whole(Data()))
    }
}

extension DownloadedBody {
    private func write(_ channel: any BodyChannel, _ part: DownloadPart, _ request: URLRequest) async throws {
        try change { file in try file.cut(to: part.start) }
        state.withLock { state in
            state.validator = part.validator
            state.total = part.total
        }
        board.begin(total: part.total, completed: part.start)
        do {
            while let chunk = try await channel.next() {
                let count = try change { file in
                    guard file.count + chunk.count <= part.end ?? .max else {
                        throw malformed("the body is longer than its part of the whole", request)
                    }
                    try file.append(chunk)
                    return file.count
                }
                board.advance(to: count)
            }
        } catch {
            channel.cancel()
            throw error
        }
        let count = state.withLock { $0.file?.count }
        guard part.end == nil || count == part.end else {
            throw malformed("the body is shorter than its part of the whole", request)
        }
    }

    private var held: DownloadPlan.Held {
        state.withLock { state in
            DownloadPlan.Held(
                count: state.file?.count ?? 0,
                validator: state.validator,
                total: state.total,
                hasAsked: state.hasAsked
            )
        }
    }

    private var count: Int { state.withLock { $0.file?.count ?? 0 } }

    private func isIncomplete(_ request: URLRequest) throws -> Bool {
        let (count, total) = state.withLock { ($0.file?.count ?? 0, $0.total) }
        guard let total else { return false }
        guard count <= total else { throw malformed("the body is longer than the server says", request) }
        return count < total
    }

    private func malformed(_ detail: String, _ request: URLRequest) -> TransportError {
        TransportError(.malformedResponse, request: request, detail: detail)
    }

    /// From the beginning, whatever has come.
    private func forget() {
        state.withLock { state in
            state.validator = nil
            state.total = nil
        }
    }

    private func open() throws {
        guard destination.isFileURL else { throw Self.notWritten(POSIXError(.EINVAL)) }
        var isDirectory: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: destination.path, isDirectory: &isDirectory)
        guard !isThere || !isDirectory.boolValue else { throw Self.notWritten(POSIXError(.EISDIR)) }
        do {
            let left = token.flatMap { token in
                token.isUsable ? try? PartialFile(left: token.partialFileName, for: destination) : nil
            }
            let file = try left ?? PartialFile(for: destination)
            state.withLock { state in
                state.file = file
                guard left != nil, let token else { return }
                state.validator = Validator(value: token.validator)
                state.total = token.total
            }
        } catch {
            throw Self.notWritten(error)
        }
    }

    /// What an interceptor answered itself takes the place of what was not taken to its end.
    private func land(insteadOfTaken data: Data) throws {
        do {
            try state.withLock { state in
                if !state.isComplete {
                    try state.file?.cut(to: 0)
                    try state.file?.append(data)
                    state.isComplete = true
                }
                try state.file?.land(at: destination)
                state.file = nil
            }
        } catch {
            throw Self.notWritten(error)
        }
    }

    /// Closes the file, which is removed unless somebody may go on with it.
    private func leave() {
        state.withLock { state in
            state.left = isKept ? state.token : nil
            if state.left == nil { state.file?.remove() }
            state.file = nil
        }
    }

    private func change<Result>(_ body: (inout PartialFile) throws -> Result) throws -> Result {
        do {
            return try state.withLock { state in
                guard var file = state.file else { throw POSIXError(.EBADF) }
                defer { state.file = file }
                return try body(&file)
            }
        } catch let error as POSIXError {
            throw Self.notWritten(error)
        }
    }

    private static func notWritten(_ error: any Error) -> NetworkClient.Error {
        .requestError(type: TransportError(.fileNotWritten, underlying: error))
    }
}
