#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Turns the moments of an exchange into text in which secrets are masked.
///
/// Loggers have one: ``NetworkLogger/formatter``. Make your own to change what it masks, or to have safe text in a
/// logger that takes events.
public struct NetworkLogFormatter: Sendable {
    /// How much is shown of a body unless something else is asked for: 4 KiB of text.
    public static let defaultBodyLimit = 4096

    /// What is masked.
    public let redaction: LogRedaction

    /// How header fields are masked beyond what the redaction says.
    public let headerMasks: [HeaderMasks]

    /// What may be shown of which exchange.
    public let filter: any LoggerFilter

    /// How much is shown of a body, in bytes of text; what is left out is counted at its end.
    public let bodyLimit: Int

    /// Makes a formatter.
    ///
    /// - Parameters:
    ///   - redaction: What is masked.
    ///   - headerMasks: How header fields are masked beyond what the redaction says.
    ///   - filter: What may be shown of which exchange.
    ///   - bodyLimit: How much is shown of a body, in bytes of text.
    public init(
        redaction: LogRedaction = .sensitive,
        headerMasks: [HeaderMasks] = [],
        filter: some LoggerFilter = .always,
        bodyLimit: Int = defaultBodyLimit
    ) {
        self.redaction = redaction
        self.headerMasks = headerMasks
        self.filter = filter
        self.bodyLimit = max(bodyLimit, 0)
    }

    /// The record of an event, or nil if the levels or the filter ask for none.
    ///
    /// An exchange is one line, which comes with its answer: `GET https://example.com/ → 200 in 12 ms`. A request has a
    /// record of its own if header fields or its body are to be shown, or if answers are not logged.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - requestLevel: How much is shown of requests.
    ///   - responseLevel: How much is shown of answers and failures.
    /// - Returns: The record, without a line break at its end.
    public func text(
        of event: NetworkLogEvent,
        requestLevel: NetworkLoggingLevel,
        responseLevel: NetworkLoggingLevel
    ) -> String? {
        guard event.sensitiveHeaders.isEmpty else {
            let formatter = hiding(event.sensitiveHeaders)
            var event = event
            event.sensitiveHeaders = []
            return formatter.text(of: event, requestLevel: requestLevel, responseLevel: responseLevel)
        }
        guard event.part == .request else { return outcome(of: event, level: responseLevel) }
        let showsMoreThanALine = !requestLevel.isDisjoint(with: [.headers, .body])
        guard showsMoreThanALine || responseLevel == .off else { return nil }
        return text(of: event.request, level: requestLevel, attempt: event.attempt)
    }

    private func hiding(_ names: [String]) -> NetworkLogFormatter {
        NetworkLogFormatter(
            redaction: redaction.maskingUnlessShown(names),
            headerMasks: headerMasks,
            filter: filter,
            bodyLimit: bodyLimit
        )
    }

    /// The record of a request, or nil if the level or the filter asks for none.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent.
    ///   - level: How much to show.
    ///   - attempt: Which attempt it is, from 1.
    /// - Returns: The record, without a line break at its end.
    public func text(of request: URLRequest, level: NetworkLoggingLevel, attempt: Int = 1) -> String? {
        guard level != .off else { return nil }
        let level = level.intersection(filter.acceptLoggingLevel(for: request))
        guard level != .off else { return nil }
        let fields = (request.allHTTPHeaderFields ?? [:]).map { (name: $0, value: $1) }
        var lines = [line(for: request) + suffix(for: attempt)]
        if level.contains(.headers) { lines += headerLines(fields) }
        if level.contains(.body) { lines += bodyLines(of: request) }
        return lines.joined(separator: "\n")
    }
}
