import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// One exchange through a logging interceptor, without a network.
struct LoggedExchange {
    var method = "GET"
    var url = "https://api.example.com/items?page=1"
    var requestHeaders: [String: String] = [:]
    var requestBody: Data?
    var status = 200
    var responseHeaders: [String: String] = [:]
    var responseBody = Data()
    var failure: (any Error & Sendable)?
    var seconds = 0.012

    /// Passes the exchange through an interceptor with a logger of these settings and returns what it wrote.
    func records(
        requestLevel: NetworkLoggingLevel = .status,
        responseLevel: NetworkLoggingLevel = .status,
        headerMasks: [HeaderMasks] = [],
        redaction: LogRedaction = .sensitive,
        filter: some LoggerFilter = .always,
        bodyLimit: Int = NetworkLogFormatter.defaultBodyLimit
    ) async throws -> [RecordingStream.Record] {
        let stream = RecordingStream()
        let logger = DefaultLogger(
            tag: "",
            logStream: stream,
            logFilter: filter,
            requestLevel: requestLevel,
            responseLevel: responseLevel,
            headerMasks: headerMasks,
            redaction: redaction,
            bodyLimit: bodyLimit
        )
        try await pass(through: LoggingInterceptor(logger: logger, time: SteppingTime(step: seconds)))
        return stream.records
    }

    /// The text of all records, with every level on.
    func fullText(redaction: LogRedaction = .sensitive, headerMasks: [HeaderMasks] = []) async throws -> String {
        let records = try await records(
            requestLevel: .full,
            responseLevel: .full,
            headerMasks: headerMasks,
            redaction: redaction
        )
        return records.map(\.message).joined(separator: "\n")
    }

    /// Passes the exchange through an interceptor, and catches the failure of the exchange.
    func pass(through interceptor: LoggingInterceptor) async throws {
        let response = try response()
        let (status, body, failure) = (status, responseBody, failure)
        do {
            _ = try await interceptor.process(request()) { _ in
                if let failure { throw failure }
                guard status < 400 else { throw NetworkClient.Error.apiError(response: response, data: body) }
                return (data: body, response: response)
            }
        } catch {
            try #require(failure != nil || status >= 400)
        }
    }

    func request() throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.allHTTPHeaderFields = requestHeaders
        request.httpBody = requestBody
        return request
    }

    func response() throws -> HTTPURLResponse {
        let response = HTTPURLResponse(
            url: try #require(URL(string: url)),
            statusCode: status,
            httpVersion: "HTTP/1.1",
            headerFields: responseHeaders
        )
        return try #require(response)
    }
}

/// A stream that stores its records.
final class RecordingStream: LogStream {
    struct Record: Equatable {
        let message: String
        let type: LogType
    }

    private let stored = Locked<[Record]>([])

    func log(_ message: String, for type: LogType) {
        stored.withLock { $0.append(Record(message: message, type: type)) }
    }

    var records: [Record] { stored.withLock { $0 } }
    var messages: [String] { records.map(\.message) }
    /// The records without ` in 12 ms` and ` after 12 ms`.
    var messagesWithoutDuration: [String] {
        messages.map {
            $0.replacingOccurrences(of: " (in|after) [0-9.]+ m?s", with: "", options: .regularExpression)
        }
    }
    var text: String { messages.joined(separator: "\n") }
}

/// A time that advances by one step each time it is read, so that an exchange takes exactly one step.
final class SteppingTime: TimeSource {
    private let step: Double
    private let current = Locked(100.0)

    init(step: Double) {
        self.step = step
    }

    var now: Double {
        current.withLock { now in
            defer { now += step }
            return now
        }
    }

    func sleep(seconds: Double) async throws {
        current.withLock { $0 += seconds }
    }
}
