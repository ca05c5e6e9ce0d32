import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of a download: puts what comes into a file, and asks for what is missing.
///
/// Used by one task at a time, but for ``resumeToken``.
final class DownloadedBody: BodyTaker {
    private struct State {
        var file: PartialFile?
        var validator: Validator?
        var total: Int?
        var isOver = false
    }

    let board = ProgressBoard()
    private let destination: URL
    private let token: ResumeToken?
    private let isKept: Bool
    private let state = Locked(State())

    init(_ destination: URL, resuming token: ResumeToken?, isKept: Bool) {
        self.destination = destination
        self.token = token
        self.isKept = isKept
    }

    var resumeToken: ResumeToken? {
        state.withLock { state in
            guard isKept, !state.isOver, let file = state.file, file.count > 0, let validator = state.validator
            else { return nil }
            let name = file.url.lastPathComponent
            return ResumeToken(partialFileName: name, validator: validator.value, total: state.total)
        }
    }

    /// Runs the call with a file to write, which has the name of the destination afterwards, or is gone.
    func begin(_ call: () async throws -> TransportResponse) async throws -> TransportResponse {
        do {
            try open()
            let answer = try await call()
            try land()
            return answer
        } catch {
            if resumeToken == nil { remove() }
            throw error
        }
    }

    func prepare(_ request: URLRequest) -> URLRequest {
        var request = request
        if request.value(forHTTPHeaderField: "Accept-Encoding") == nil {
            request.set(header: .custom(name: "Accept-Encoding", value: "identity"))
        }
        let (count, validator) = state.withLock { ($0.file?.count ?? 0, $0.validator) }
        guard !hasOwnRange(request), count > 0, let validator else { return request }
        request.set(header: .custom(name: "Range", value: "bytes=\(count)-"))
        request.set(header: .custom(name: "If-Range", value: validator.value))
        return request
    }

    func accepts(_ head: ResponseHead) -> Bool { [206, 416].contains(head.status) && asksForRest }

    func take(
        _ answer: TransportResponse,
        to request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        var answer = answer
        var beginnings = 0
        while true {
            let before = state.withLock { $0.file?.count ?? 0 }
            switch plan(for: answer.head, to: request) {
            case .complete:
                answer.body.channel.cancel()
                return TransportResponse(head: answer.head, body: .whole(Data()))
            case .write(let part):
                try await write(answer.body.channel, part, request)
                guard isIncomplete else { return TransportResponse(head: answer.head, body: .whole(Data())) }
                // The server gave less than there is, and has to give something each time.
                guard state.withLock({ $0.file?.count ?? 0 }) > before, asksForRest else {
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
}

extension DownloadedBody {
    /// What is to be done with an answer.
    private enum Plan {
        /// All has come already.
        case complete
        case write(DownloadPart)
        /// It is no part of what has come.
        case beginAgain
    }

    private func plan(for head: ResponseHead, to request: URLRequest) -> Plan {
        let (count, validator, total) = state.withLock { ($0.file?.count ?? 0, $0.validator, $0.total) }
        let hasAsked = asksForRest && !hasOwnRange(request)
        if hasAsked, head.status == 416 {
            let length = head.value(of: "Content-Range").flatMap(ContentRange.init)?.total
            return length == count && validator?.contradicts(head) == false ? .complete : .beginAgain
        }
        guard hasAsked, head.status == 206 else {
            let total = head.bodyLength(of: request)
            return .write(DownloadPart(start: 0, end: nil, total: total, validator: Validator(of: head)))
        }
        guard let part = head.value(of: "Content-Range").flatMap(ContentRange.init), let range = part.range,
            range.lowerBound <= count, validator?.contradicts(head) == false,
            head.value(of: "Content-Encoding") == nil,
            total == nil || part.total == nil || total == part.total
        else { return .beginAgain }
        return .write(
            DownloadPart(
                start: range.lowerBound,
                end: range.upperBound,
                total: part.total ?? total,
                validator: validator
            )
        )
    }

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

    private var asksForRest: Bool {
        state.withLock { ($0.file?.count ?? 0) > 0 && $0.validator != nil }
    }

    private var isIncomplete: Bool {
        state.withLock { state in
            guard let total = state.total, let count = state.file?.count else { return false }
            return count < total
        }
    }

    private func hasOwnRange(_ request: URLRequest) -> Bool {
        request.value(forHTTPHeaderField: "Range") != nil
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
        guard destination.isFileURL else {
            throw Self.notWritten(POSIXError(.EINVAL))
        }
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

    private func land() throws {
        do {
            try state.withLock { state in
                try state.file?.land(at: destination)
                state.isOver = true
                state.file = nil
            }
        } catch {
            throw Self.notWritten(error)
        }
    }

    private func remove() {
        state.withLock { state in
            state.file?.remove()
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
