import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct InterceptorProtocolTests {
    /// Records in which task it runs.
    private struct Watching: InterceptorProtocol {
        let runsInCallersTask: Bool
        let sensitiveHeaders = ["X-Door"]
        let tasks: Recorder<Int?>

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            tasks.record(InterceptorProtocolTests.currentTask)
            return try await next(request)
        }
    }

    private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    @Test(arguments: [true, false])
    func anInterceptorThatPromisesToWaitOnlyInNextRunsInTheCallersTask(promises: Bool) async throws {
        let tasks = Recorder<Int?>()
        let client = NetworkClient(
            transport: ClosureTransport(status: 200),
            interceptors: [.noOp, InterceptorStack([Watching(runsInCallersTask: promises, tasks: tasks)])]
        )
        try await client.fetch(request: URLRequest(url: url("https://api.example.com/")))
        #expect(Self.currentTask != nil)
        expect(tasks.values.map { $0 == Self.currentTask }, [promises])
    }

    @Test func theClientTreatsTheSensitiveHeadersOfItsInterceptorsAsItsOwn() {
        let interceptor = Watching(runsInCallersTask: true, tasks: Recorder())
        let client = NetworkClient(interceptors: [InterceptorStack([interceptor])])
        expect(client.configuration.sensitiveHeaders, ["X-Door"])
    }
}
