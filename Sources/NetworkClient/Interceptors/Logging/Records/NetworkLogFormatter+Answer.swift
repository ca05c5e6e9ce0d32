public import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension NetworkLogFormatter {
    /// The record of an answer whose request is not known, or nil if the level or the filter asks for none.
    ///
    /// - Parameters:
    ///   - response: The head of the answer.
    ///   - data: Its body, if there is one.
    ///   - level: How much to show.
    /// - Returns: The record, without a line break at its end.
    public func text(of response: HTTPURLResponse, with data: Data?, level: NetworkLoggingLevel) -> String? {
        guard level != .off else { return nil }
        let place = response.url.map { " \(PrintableText.line(redaction.text(of: $0)))" } ?? ""
        let data = data ?? Data()
        return answer("\(response.statusCode)\(place)", response, data, length: data.count, level: level)
    }

    func outcome(of event: NetworkLogEvent, level: NetworkLoggingLevel) -> String? {
        guard level != .off, filter.acceptLoggingLevel(for: event.request) != .off else { return nil }
        let duration = Self.text(ofSeconds: event.duration)
        let suffix = suffix(for: event.attempt) + (event.wasSent ? "" : " (not sent)")
        switch event.stage {
        case .sent:
            return nil
        case .answered(let response, let data):
            let line = "\(line(for: event.request)) → \(response.statusCode) in \(duration)\(suffix)"
            return answer(line, response, data, length: event.bodyLength, level: level)
        case .failed(let error) where error is CancellationError:
            return "\(line(for: event.request)) cancelled after \(duration)\(suffix)"
        case .failed(let error):
            return "\(line(for: event.request)) failed after \(duration)\(suffix): \(redaction.text(of: error))"
        }
    }

    private func answer(
        _ line: String,
        _ response: HTTPURLResponse,
        _ data: Data,
        length: Int,
        level: NetworkLoggingLevel
    ) -> String? {
        let level = level.intersection(filter.acceptLoggingLevel(for: response))
        guard level != .off else { return nil }
        var lines = [line]
        if level.contains(.headers) {
            lines += headerLines(response.allHeaderFields.map { (name: "\($0)", value: "\($1)") })
        }
        if level.contains(.body), !data.isEmpty {
            lines.append(bodyText(data, length: length, type: response.value(forHTTPHeaderField: "Content-Type")))
        }
        return lines.joined(separator: "\n")
    }

    /// A duration as people read it: `12 ms`, or `12.3 s` from ten seconds on.
    static func text(ofSeconds seconds: Double) -> String {
        let seconds = seconds > 0 ? min(seconds, 1e9) : 0
        let milliseconds = Int64((seconds * 1000).rounded())
        guard milliseconds >= 10_000 else { return "\(milliseconds) ms" }
        return "\((seconds * 10).rounded() / 10) s"
    }
}
