public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension NetworkLogger {
    /// `NetworkClient`.
    public var tag: String { DefaultLogger.defaultTag }

    /// Method, URL, status and duration.
    public var requestLevel: NetworkLoggingLevel { .status }

    /// Method, URL, status and duration.
    public var responseLevel: NetworkLoggingLevel { .status }

    /// A formatter that masks what is known to be secret.
    public var formatter: NetworkLogFormatter { NetworkLogFormatter() }

    /// Writes the record of an event, if the levels ask for one.
    ///
    /// - Parameter event: The moment, with nothing masked.
    public func log(_ event: NetworkLogEvent) {
        let text = formatter.text(of: event, requestLevel: requestLevel, responseLevel: responseLevel)
        guard let text else { return }
        log(text, for: event.part, type: event.type)
    }

    /// Writes several lines as one record.
    ///
    /// - Parameters:
    ///   - messages: The lines.
    ///   - part: Which half of an exchange they are about.
    ///   - type: How serious they are.
    public func log(_ messages: [String], for part: NetworkLoggingType, type: LogType) {
        log(messages.joined(separator: "\n"), for: part, type: type)
    }

    /// Writes a record of a request outside an exchange.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - type: How serious it is.
    public func log(request: URLRequest, type: LogType) {
        guard let text = formatter.text(of: request, level: requestLevel) else { return }
        log(text, for: .request, type: type)
    }

    /// Writes a record of an answer outside an exchange, which has neither method nor duration.
    ///
    /// - Parameters:
    ///   - response: The head of the answer.
    ///   - data: Its body, if there is one.
    ///   - type: How serious it is.
    public func log(response: HTTPURLResponse, with data: Data?, type: LogType) {
        guard let text = formatter.text(of: response, with: data, level: responseLevel) else { return }
        log(text, for: .response, type: type)
    }
}
