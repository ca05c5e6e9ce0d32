import Foundation
import NetworkClient
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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

    /// Passes the exchange through an interceptor; a failure of its own ends here.
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
