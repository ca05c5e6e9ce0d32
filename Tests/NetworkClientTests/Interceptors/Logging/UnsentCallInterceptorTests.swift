import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct UnsentCallInterceptorTests {
    private struct Refused: Error {}

    /// Answers or refuses some calls before they are sent.
    private struct Gatekeeper: InterceptorProtocol {
        func process(
            _ request: URLRequest,
            next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
        ) async throws -> NetworkClient.ChainResult {
            switch request.url?.path {
            case "/canned": (Data("1".utf8), .made(203))
            case "/refused": throw Refused()
            default: try await next(request)
            }
        }
    }

    /// The records of one call, up to the duration.
    private func records(
        of path: String,
        _ interceptors: [any InterceptorProtocol] = [Gatekeeper()],
        status: Int = 200
    ) async -> [String] {
        let stream = RecordingStream()
        let client = NetworkClient(
            transport: ClosureTransport(status: status, json: "1"),
            interceptors: interceptors,
            logging: .default(logStream: stream)
        )
        _ = try? await client.fetch(request: URLRequest(url: url("http://h\(path)")))
        return stream.messages.map { $0.components(separatedBy: " in ")[0].components(separatedBy: " after ")[0] }
    }

    @Test(.spec(96)) func logsAnAnswerThatAnInterceptorGives() async {
        #expect(await records(of: "/canned") == ["[NetworkClient] GET http://h/canned → 203"])
    }

    @Test func logsACallThatAnInterceptorRefuses() async {
        #expect(await records(of: "/refused") == ["[NetworkClient] GET http://h/refused failed"])
    }

    @Test(arguments: [200, 404]) func logsACallThatIsSentOnce(status: Int) async {
        #expect(await records(of: "/sent", status: status) == ["[NetworkClient] GET http://h/sent → \(status)"])
    }

    @Test func logsEveryAttemptOfARetry() async {
        struct Twice: InterceptorProtocol {
            func process(
                _ request: URLRequest,
                next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
            ) async throws -> NetworkClient.ChainResult {
                _ = try? await next(request)
                return try await next(request)
            }
        }
        #expect(await records(of: "/sent", [Twice()]).count == 2)
    }
}
