import Foundation
import NetworkClient
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct NetworkLogEventTests {
    @Test(arguments: [(200, LogType.info), (304, .info), (399, .info), (400, .warning), (500, .warning)])
    func isAsSeriousAsItsStatus(status: Int, type: LogType) throws {
        let exchange = LoggedExchange(status: status)
        let stage = NetworkLogEvent.Stage.answered(response: try exchange.response(), data: Data())
        #expect(NetworkLogEvent(request: try exchange.request(), stage: stage).type == type)
    }

    @Test func belongsToTheRequestUntilSomethingCameBack() throws {
        let request = try LoggedExchange().request()
        #expect(NetworkLogEvent(request: request, stage: .sent).part == .request)
        #expect(NetworkLogEvent(request: request, stage: .failed(URLError(.timedOut))).part == .response)
    }
}
