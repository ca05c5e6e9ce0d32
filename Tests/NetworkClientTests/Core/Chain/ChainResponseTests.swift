import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Which body and which metrics belong to the response that interceptors return.
struct ChainResponseTests {
    /// Sends twice and returns one of the two responses, unchanged or rebuilt.
    private func choosing(
        _ choose: @escaping @Sendable ([NetworkClient.ChainResult]) -> NetworkClient.ChainResult
    ) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            choose([try await next(request), try await next(request)])
        }
    }

    @Test(.spec(96), arguments: TransportUnderTest.all)
    func aStreamedBodyIsNeverPairedWithTheHeadOfAnotherResponse(transport: TransportUnderTest) async throws {
        let count = Locked(0)
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .respond(headers: ["ETag": "\"\(number)\""], body: "body \(number)")
        }
        let plain = URLRequest(url: server.url)
        let second = try transport.client(interceptors: [choosing { $0[1] }])
        let streamed = try await second.stream(plain)
        expect(streamed["ETag"], "\"2\"")
        expect(try await streamed.item.text(), "body 2")
        let first = try transport.client(interceptors: [choosing { $0[0] }])
        await #expect { try await first.stream(plain) } throws: { error in
            guard case NetworkClient.Error.requestError(let error) = error else { return false }
            let sentence =
                "The request failed: the body of this response was dropped when an interceptor sent the request again."
            return error.reason == .bodyNotReplayable && "\(error)" == sentence
        }
        let whole: NetworkClient.Response<String> = try await first.fetch(request: plain)
        expect(whole.item, "body 5")
        expect(whole["ETag"], "\"5\"")
    }

    @Test(.spec(96), arguments: [(200, 200, true), (304, 200, true), (204, 200, false), (200, 203, false)])
    func aResponseOfAnInterceptorHasTheMetricsOfTheServersResponseOnlyIfItReplacesThat(
        received: Int,
        made: Int,
        hasMetrics: Bool
    ) async throws {
        let making = choosing { _ in (Data("[]".utf8), .made(made)) }
        let configuration = NetworkClient.Configuration(acceptedStatuses: .all)
        let client = NetworkClient(
            transport: ClosureTransport(status: received, json: "{}"),
            interceptors: [making],
            logging: .off,
            configuration: configuration
        )
        let response = try await client.fetch(request: URLRequest(url: url("https://api.example.com/items")))
        expect((response.metrics != nil), hasMetrics)
    }
}
