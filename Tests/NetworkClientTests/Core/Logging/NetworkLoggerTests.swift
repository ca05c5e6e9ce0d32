import Foundation
import Testing

@testable import NetworkClient

/// Loggers written by users of the library: these tests use the public API only.
struct NetworkLoggerTests {
    @Test func aLoggerOfTextImplementsOneFunction() async throws {
        struct TextLogger: NetworkLogger {
            let stream: RecordingStream
            func log(_ message: String, for part: NetworkLoggingType, type: LogType) { stream.log(message, for: type) }
        }
        let stream = RecordingStream()
        let interceptor = LoggingInterceptor(logger: TextLogger(stream: stream), time: SteppingTime(step: 0.002))
        try await LoggedExchange(url: "https://a.example/?token=s3cr3t").pass(through: interceptor)
        expect(stream.messages, ["GET https://a.example/?token=*** → 200 in 2 ms"])
    }

    @Test func aLoggerOfEventsReceivesEveryEvent() async throws {
        final class FactLogger: NetworkLogger {
            let facts = RecordingStream()
            func log(_ message: String, for part: NetworkLoggingType, type: LogType) {}
            func log(_ event: NetworkLogEvent) {
                guard case .received(let response, let data) = event.stage else { return }
                facts.log("\(response.statusCode) \(data.count) \(event.duration) \(event.attempt)", for: event.type)
            }
        }
        let logger = FactLogger()
        let interceptor = LoggingInterceptor(logger: logger, time: SteppingTime(step: 0.5))
        try await LoggedExchange(status: 503, responseBody: Data([1, 2, 3])).pass(through: interceptor)
        expect(logger.facts.records, [.init(message: "503 3 0.5 1", type: .warning)])
    }

    @Test func aLoggerOfTheOlderShapeStillWorks() async throws {
        final class OlderLogger: NetworkLogger {
            let tag = "Older"
            let requestLevel = NetworkLoggingLevel.full
            let responseLevel = NetworkLoggingLevel.off
            let stream = RecordingStream()
            func log(_ message: String, for: NetworkLoggingType, type: LogType) { stream.log(message, for: type) }
            func log(_ messages: [String], for: NetworkLoggingType, type: LogType) {}
            func log(request: URLRequest, type: LogType) {}
            func log(response: HTTPURLResponse, with data: Data?, type: LogType) {}
        }
        let logger = OlderLogger()
        try await LoggedExchange(url: "https://a.example/").pass(through: LoggingInterceptor(logger: logger))
        expect(logger.stream.messages, ["GET https://a.example/"])
    }

    @Test func requestsAndResponsesCanBeLoggedOutsideAnExchange() throws {
        let stream = RecordingStream()
        let logger: any NetworkLogger = .default(logLevel: [.status, .headers], logStream: stream)
        let exchange = LoggedExchange(url: "https://u:p@a.example/?sig=s", requestHeaders: ["Cookie": "c"])
        logger.log(request: try exchange.request(), type: .info)
        logger.log(response: try exchange.response(), with: nil, type: .warning)
        expect(
            stream.messages,
            [
                "[NetworkClient] GET https://***@a.example/?sig=***\n  Cookie: ***",
                "[NetworkClient] 200 https://***@a.example/?sig=***",
            ]
        )
    }
}

struct NetworkLogEventTests {
    @Test(arguments: [(200, LogType.info), (304, .info), (399, .info), (400, .warning), (500, .warning)])
    func aResponseFrom400OnIsAWarning(status: Int, type: LogType) throws {
        let exchange = LoggedExchange(status: status)
        let stage = NetworkLogEvent.Stage.received(response: try exchange.response(), data: Data())
        expect(NetworkLogEvent(request: try exchange.request(), stage: stage).type, type)
    }

    @Test func onlyTheSentEventBelongsToTheRequest() throws {
        let request = try LoggedExchange().request()
        expect(NetworkLogEvent(request: request, stage: .sent).part, .request)
        expect(NetworkLogEvent(request: request, stage: .failed(URLError(.timedOut))).part, .response)
    }
}

struct DefaultLogStreamTests {
    @Test func aRecordWithoutATypeIsInformation() {
        let stream = RecordingStream()
        (stream as any LogStream).log("hello")
        expect(stream.records, [.init(message: "hello", type: .info)])
    }
}
