import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities

@testable import NetworkClient

/// A server without a network that accepts one bearer token at a time.
final class TokenServer: Sendable {
    struct Asked: Hashable, Sendable {
        let path: String
        let token: String?
    }

    static let origin = url("https://api.example.com")

    private let valid: Locked<String?>
    private let refusalStatus: Int
    private let gates: [String: Gate]
    private let record = AwaitableValue<[Asked]>([])
    private let refusals = AwaitableValue(0)

    /// Creates a server that responds to each path of `gates` only after its gate was opened.
    init(accepting token: String?, refusingWith status: Int = 401, gates: [String: Gate] = [:]) {
        valid = Locked(token)
        refusalStatus = status
        self.gates = gates
    }

    var asked: [Asked] { record.current }

    /// The tokens of the requests for a path, in their order.
    func tokens(_ path: String = "/") -> [String?] { asked.filter { $0.path == path }.map(\.token) }

    func accept(_ token: String?) { valid.withLock { $0 = token } }

    func waitForRequests(_ count: Int) async throws { try await record.wait { $0.count >= count ? () : nil } }

    func waitForRefusals(_ count: Int) async throws { try await refusals.wait { $0 >= count ? () : nil } }

    var transport: ClosureTransport {
        ClosureTransport { [self] request in
            let path = request.url?.path ?? ""
            let token = request.value(forHTTPHeaderField: "Authorization")?.replacingOccurrences(
                of: "Bearer ",
                with: ""
            )
            record.update { $0.append(Asked(path: path, token: token)) }
            let isValid = valid.withLock { $0 } == token
            try await gates[path]?.wait()
            if !isValid { refusals.update { $0 += 1 } }
            let place = request.url?.absoluteString ?? ""
            return (Data((isValid ? "yes" : "no").utf8), .made(isValid ? 200 : refusalStatus, url: place))
        }
    }

    func client(
        _ interceptors: [any InterceptorProtocol],
        time: any TimeSource = SystemTimeSource()
    ) -> NetworkClient {
        NetworkClient(transport: transport, interceptors: interceptors, configuration: .init(time: time))
    }

    func client(_ session: TokenSession, time: any TimeSource = SystemTimeSource()) -> NetworkClient {
        client([.authentication(.bearer(session), origins: [Self.origin])], time: time)
    }

    static func request(_ path: String = "/") -> URLRequest {
        URLRequest(url: url("https://api.example.com\(path)"))
    }
}

extension NetworkClient {
    /// The status of a call, accepted or not; any other error is thrown.
    func status(_ request: URLRequest, _ options: CallOptions = CallOptions()) async throws -> Int {
        do {
            return try await fetch(request: request, options: options).httpResponse.statusCode
        } catch NetworkClient.Error.apiError(let response, _) {
            return response.statusCode
        }
    }
}
