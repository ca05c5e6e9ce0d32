import Foundation
import NetworkClient
import NetworkUtilities

/// The kinds of exchanges in a soak: the request, the server's behaviour, and the outcome for a caller that isn't
/// cancelled.
enum SoakKind: String, CaseIterable, Sendable {
    case get
    case json
    case head
    /// 302 to a GET.
    case redirect
    /// 307, so the body is sent again.
    case redirectedPost
    case notFound
    case chunked
    /// The connection ends in the middle of the body.
    case truncated
    /// The body comes in two parts with a pause before each.
    case slow
    /// Many callers share one exchange.
    case shared
    /// The body is a stream of unknown length.
    case upload
    /// 401 with a challenge that URLSession would respond to.
    case unauthorised
    /// A body over the call's limit.
    case tooLarge
    /// No response; the server waits until the client has closed the connection.
    case timedOut
    /// The connection ends after the response without notice, so the next request may use a dead connection.
    case closing
    /// The responses of ``MisbehavingResponse``, in turn.
    case misbehaving

    /// Returns whether a call that isn't cancelled may have this outcome.
    func permits(_ outcome: SoakOutcome, of number: Int) -> Bool {
        if self == .misbehaving { return MisbehavingResponse.of(number).permits(outcome, number) }
        return outcome == expected(of: number)
    }

    /// Returns the expected outcomes, for a message.
    func expectation(of number: Int) -> String {
        self == .misbehaving ? "\(MisbehavingResponse.of(number))" : "\(expected(of: number))"
    }

    private func expected(of number: Int) -> SoakOutcome {
        switch self {
        case .head: .item(nil)
        case .notFound: .status(404)
        case .unauthorised: .status(401)
        case .truncated: .failure("connectionLost")
        case .tooLarge: .failure("bodyTooLarge")
        case .timedOut: .failure("timedOut")
        default: .item(number)
        }
    }

    /// Returns whether a failure is expected now and then, since the server has closed the connection.
    ///
    /// URLSession doesn't send a body again that was partly sent, and a stream can't be sent again.
    func isLoss(_ failure: String) -> Bool {
        switch self {
        case .json, .redirectedPost: failure == "connectionLost"
        case .upload: ["connectionLost", "bodyNotReplayable"].contains(failure)
        default: false
        }
    }

    /// The server's response to a request for the path `/kind/number`.
    static func respond(_ request: IncomingRequest) -> [ResponsePart] {
        let words = request.target.split(separator: "/")
        guard words.count == 2, let kind = SoakKind(rawValue: String(words[0])), let number = Int(words[1]) else {
            return [.whole(status: 400)]
        }
        var parts = kind.response(number, request.body)
        guard let last = parts.indices.last else { return [] }
        // Delays some responses, so that calls are cancelled while they wait for a head.
        if number % 5 == 0 { parts[0].delay += UInt32(number % 17) * 100 }
        // The marks of CancelMoment.atServer.
        guard let index = request.fields["x-request-id"].flatMap({ UInt64($0) }) else { return parts }
        if last > 0 { parts[0].markAfter = index * 4 + 1 }
        parts[last].markBefore = index * 4 + 2
        parts[last].markAfter = index * 4 + 3
        return parts
    }

    private func response(_ number: Int, _ body: [UInt8]) -> [ResponsePart] {
        func item(padding: Int) -> [UInt8] {
            let end = [UInt8](repeating: 0x78, count: padding) + Array("\"}".utf8)
            return Array(#"{"number":\#(number),"padding":""#.utf8) + end
        }
        func slow(_ body: [UInt8], parts: Int, pause: UInt32) -> [ResponsePart] {
            let size = body.count / parts
            let bodies = (0..<parts).map { part in
                body[part * size..<(part == parts - 1 ? body.count : (part + 1) * size)]
            }
            let head = ResponsePart(bytes: ResponsePart.head(length: body.count))
            return [head] + bodies.map { ResponsePart(bytes: Array($0), delay: pause) }
        }
        func chunked(_ body: [UInt8]) -> [ResponsePart] {
            let size = body.count / 4 + 1
            let chunks = stride(from: 0, to: body.count, by: size).map { body[$0..<min($0 + size, body.count)] }
            let bytes = [ResponsePart.head(length: nil)] + (chunks + [[]]).map { ResponsePart.chunk(Array($0)) }
            return bytes.map { ResponsePart(bytes: $0) }
        }
        switch self {
        case .get: return [.whole(body: item(padding: number % 4_000))]
        case .json, .upload: return [.whole(body: body)]
        case .head: return [ResponsePart(bytes: ResponsePart.head(length: 1_000))]
        case .redirect: return [.whole(status: 302, ["Location": "/get/\(number)"])]
        case .redirectedPost: return [.whole(status: 307, ["Location": "/json/\(number)"])]
        case .notFound: return [.whole(status: 404, body: item(padding: 0))]
        case .unauthorised: return [.whole(status: 401, ["WWW-Authenticate": "Basic realm=\"soak\""])]
        case .slow: return slow(item(padding: 2_000), parts: 2, pause: 1_500)
        case .shared: return slow(item(padding: 100), parts: 1, pause: 3_000)
        case .chunked: return chunked(item(padding: 60_000))
        case .tooLarge: return chunked(item(padding: 20_000))
        case .timedOut: return []
        case .closing: return [.whole(body: item(padding: 10)).closing]
        case .truncated:
            let spaces = [UInt8](repeating: 32, count: 100)
            return [ResponsePart(bytes: ResponsePart.head(length: 1_000)), ResponsePart(bytes: spaces).closing]
        case .misbehaving: return MisbehavingResponse.of(number).parts(item(padding: 50), number)
        }
    }
}

/// The outcome of one call of a soak.
enum SoakOutcome: Equatable, Sendable {
    /// A response with the item of that number; nil for a response without a body.
    case item(Int?)
    case status(Int)
    case failure(String)
}

/// One call of a soak.
struct SoakCall: Sendable {
    private struct Item: Codable, Sendable {
        let number: Int
        var padding = ""
    }

    /// A failure with its underlying error, which the library's description leaves out.
    private struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    let kind: SoakKind
    let index: Int
    let server: URL

    /// The number that the call requests; neighbouring shared calls have the same number.
    ///
    /// All other numbers are different, so that a response to another request is noticed.
    var number: Int { kind == .shared ? index / 64 : index }

    func run(_ client: NetworkClient) async throws -> SoakOutcome {
        let request = try request()
        do {
            if kind == .head {
                try await client.fetch(request: request)
                return .item(nil)
            }
            let response: NetworkClient.Response<Item> = try await client.fetch(request: request, options: options)
            return .item(response.item.number)
        } catch NetworkClient.Error.apiError(let response, _) {
            return .status(response.statusCode)
        } catch NetworkClient.Error.decodingError {
            return .failure("decodingError")
        } catch NetworkClient.Error.requestError(let error) {
            let outcome = SoakOutcome.failure("\(error.reason)")
            if kind.permits(outcome, of: number) || kind.isLoss("\(error.reason)") { return outcome }
            throw Unexpected(description: "\(error) [\(error.reason); \(error.underlying.map { "\($0)" } ?? "")]")
        }
    }

    private var options: CallOptions {
        switch kind {
        case .tooLarge: CallOptions(bodyLimit: 1_000)
        case .timedOut: CallOptions(attemptTimeout: 0.004)
        default: CallOptions()
        }
    }

    private func request() throws -> URLRequest {
        guard let url = URL(string: "/\(kind.rawValue)/\(number)", relativeTo: server)?.absoluteURL else {
            throw URLError(.badURL)
        }
        var request = URLRequest(url: url)
        switch kind {
        case .json, .redirectedPost:
            request = try URLRequest.post(url: url).bodyJson(of: Item(number: number)).build()
        case .upload:
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: try JSONEncoder().encode(Item(number: number)))
        case .head: request.httpMethod = "HEAD"
        case .shared: request = request.withInstanceCaching()
        default: break
        }
        // Sharing ignores this field, since it is for tracing; the server uses it to report the progress of the call.
        request.set(header: .custom(name: "X-Request-ID", value: String(index)))
        return request
    }
}
