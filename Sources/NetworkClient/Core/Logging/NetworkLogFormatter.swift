/// Turns the events of an exchange into text in which secrets are masked.
///
/// Every logger has one: ``NetworkLogger/formatter``. Create your own to change what it masks, or to get safe text in a
/// logger that handles events.
public struct NetworkLogFormatter: Sendable {
    /// The default limit of a body: 4 KiB of text.
    public static let defaultBodyLimit = 4096

    /// The rules for masking values.
    public private(set) var redaction: LogRedaction

    /// The masks for header fields in addition to the redaction.
    public let headerMasks: [HeaderMasks]

    /// The limit on what may be shown of an exchange.
    public let filter: any LoggerFilter

    /// The maximum length of a body in bytes of text.
    ///
    /// A line states how many bytes were left out.
    public let bodyLimit: Int

    /// Creates a formatter.
    ///
    /// - Parameters:
    ///   - redaction: The rules for masking values.
    ///   - headerMasks: Masks for header fields in addition to the redaction.
    ///   - filter: Limits what may be shown of an exchange.
    ///   - bodyLimit: The maximum length of a body, in bytes of text.
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

    /// Returns the record of an event, or nil if the levels or the filter require none.
    ///
    /// An exchange has one line, which is written with its response: `GET https://example.com/ → 200 in 12 ms`. The
    /// request has its own record if header fields or its body are shown, or if responses are not logged.
    ///
    /// - Returns: The record, without a line break at its end.
    public func text(
        of event: NetworkLogEvent,
        requestLevel: NetworkLoggingLevel,
        responseLevel: NetworkLoggingLevel
    ) -> String? {
        let isRequest = event.part == .request
        let showsMoreThanALine = !requestLevel.isDisjoint(with: [.headers, .body])
        guard !isRequest || showsMoreThanALine || responseLevel == .off else { return nil }
        var formatter = self
        formatter.redaction = redaction.maskingUnlessShown(event.sensitiveHeaders)
        guard isRequest else { return formatter.outcome(of: event, level: responseLevel) }
        return formatter.text(of: event.request, level: requestLevel, suffix: suffix(event.label, event.attempt))
    }

    /// Returns the record of a request, or nil if the level or the filter requires none.
    ///
    /// - Returns: The record, without a line break at its end.
    public func text(of request: URLRequest, level: NetworkLoggingLevel, attempt: Int = 1) -> String? {
        text(of: request, level: level, suffix: suffix(nil, attempt))
    }

    private func text(of request: URLRequest, level: NetworkLoggingLevel, suffix: String) -> String? {
        guard level != .off else { return nil }
        let level = level.intersection(filter.acceptLoggingLevel(for: request))
        guard level != .off else { return nil }
        var lines = [line(for: request) + suffix]
        if level.contains(.headers) {
            lines += headerLines((request.allHTTPHeaderFields ?? [:]).map { (name: $0, value: $1) })
        }
        if level.contains(.body) { lines += bodyLines(of: request) }
        return lines.joined(separator: "\n")
    }

    /// Returns the record of a response without its request, or nil if the level or the filter requires none.
    ///
    /// - Returns: The record, without a line break at its end.
    public func text(of response: HTTPURLResponse, with data: Data?, level: NetworkLoggingLevel) -> String? {
        guard level != .off else { return nil }
        let place = response.url.map { " \(PrintableText.line(text(of: $0)))" } ?? ""
        let data = data ?? Data()
        return text(of: response, data, length: data.count, after: "\(response.statusCode)\(place)", level: level)
    }

    private func outcome(of event: NetworkLogEvent, level: NetworkLoggingLevel) -> String? {
        guard level != .off, filter.acceptLoggingLevel(for: event.request) != .off else { return nil }
        let duration = Self.text(ofSeconds: event.duration)
        let suffix = suffix(event.label, event.attempt) + (event.wasSent ? "" : " (not sent)")
        switch event.stage {
        case .sent:
            return nil
        case .received(let response, let data):
            let line = "\(line(for: event.request)) → \(response.statusCode) in \(duration)\(suffix)"
            return text(of: response, data, length: event.bodyLength, after: line, level: level)
        case .failed(let error) where error is CancellationError:
            return "\(line(for: event.request)) cancelled after \(duration)\(suffix)"
        case .retried(let seconds, let cause):
            let wait = Self.text(ofSeconds: seconds)
            return PrintableText.line("\(line(for: event.request)) is sent again in \(wait)\(suffix), after \(cause)")
        case .noted(let message, _):
            return PrintableText.line("\(line(for: event.request))\(suffix): \(redaction.maskedText(message))")
        case .failed(let error):
            return "\(line(for: event.request)) failed after \(duration)\(suffix): \(redaction.text(of: error))"
        }
    }

    private func text(
        of response: HTTPURLResponse,
        _ data: Data,
        length: Int,
        after line: String,
        level: NetworkLoggingLevel
    ) -> String? {
        let level = level.intersection(filter.acceptLoggingLevel(for: response))
        guard level != .off else { return nil }
        guard !level.isDisjoint(with: [.headers, .body]) else { return line }
        var lines = [line]
        if level.contains(.headers) {
            lines += headerLines(response.allHeaderFields.map { (name: "\($0)", value: "\($1)") })
        }
        if level.contains(.body), !data.isEmpty {
            lines.append(bodyText(data, length: length, type: response.value(forHTTPHeaderField: "Content-Type")))
        }
        if level.contains(.headers) {
            lines += headerLines(response.trailers.map { (name: $0.name, value: $0.value) }, "trailer ")
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the method and the URL of a request; one without a URL could not be built.
    private func line(for request: URLRequest) -> String {
        guard let url = request.url else { return "a request that cannot be built" }
        return PrintableText.line("\(request.httpMethod ?? "GET") \(text(of: url))")
    }

    /// The length in bytes beyond which the end of a URL, or of the value of a header field, is left out.
    private static let longestValue = 4 << 10
    /// The maximum length in bytes of a request's body that is decoded to be shown.
    private static let longestBody = 64 << 20

    private func text(of url: URL) -> String {
        redaction.maskedURL(url.absoluteString, limit: Self.longestValue)
    }

    private func suffix(_ label: String?, _ attempt: Int) -> String {
        let label = label.map { " (\(PrintableText.line($0)))" } ?? ""
        return attempt > 1 ? "\(label) (attempt \(attempt))" : label
    }

    /// One line for each header field, ordered by name.
    private func headerLines(_ fields: [(name: String, value: String)], _ prefix: String = "") -> [String] {
        fields.sorted { $0.name.lowercased() < $1.name.lowercased() }.map { name, value in
            let shown = redaction.shown(value, of: name, masks: headerMasks, limit: Self.longestValue)
            return "  " + PrintableText.line("\(prefix)\(name): \(shown)")
        }
    }

    private func bodyLines(of request: URLRequest) -> [String] {
        guard let body = request.httpBody, !body.isEmpty else {
            guard request.httpBodyStream != nil else { return [] }
            return ["  <streamed body of \(request.bodySource.map { "\($0.length) bytes" } ?? "unknown length")>"]
        }
        let type = request.value(forHTTPHeaderField: "Content-Type")
        guard request.hasContentCoding else { return [bodyText(body, length: body.count, type: type)] }
        guard let decoded = request.decoded(body, keeping: BodyRecord.window(for: bodyLimit), most: Self.longestBody)
        else {
            // A compressed body can't be read as text, whatever its type is.
            return [bodyText(body, length: body.count, type: nil)]
        }
        let coding = PrintableText.line(request.value(forHTTPHeaderField: "Content-Encoding") ?? "")
        let lengths = "  (\(decoded.length) → \(body.count) bytes \(coding))"
        return [bodyText(decoded.bytes, length: decoded.length, type: type), lengths]
    }

    private func bodyText(_ body: Data, length: Int, type: String?) -> String {
        let type = type.map { MediaType($0) }
        return BodyRecord(body: body, length: length, type: type, redaction: redaction, limit: bodyLimit).text
    }

    /// A duration in a readable form: `12 ms`, or `12.3 s` from ten seconds on.
    static func text(ofSeconds seconds: Double) -> String {
        let seconds = seconds > 0 ? min(seconds, 1e9) : 0
        let milliseconds = Int64((seconds * 1000).rounded())
        guard milliseconds >= 10_000 else { return "\(milliseconds) ms" }
        return "\((seconds * 10).rounded() / 10) s"
    }
}

extension URLRequest {
    /// Whether the body is compressed, according to `Content-Encoding`.
    var hasContentCoding: Bool {
        (value(forHTTPHeaderField: "Content-Encoding") ?? "identity").lowercased() != "identity"
    }
}
