import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The head of an answer, of which Foundation's form is made when somebody asks for it, and then once.
///
/// To make it is the dearest step of a small exchange, and a caller who wants a decoded value never asks.
final class ResponseHead: Sendable {
    private enum Form {
        case made(HTTPURLResponse)
        case unmade(URL)
    }

    private struct State {
        var metrics: TransportMetrics?
        var form: Form
        /// How many redirects were followed before, and how many seconds they took.
        var earlier: (redirects: Int, seconds: TimeInterval) = (0, 0)
    }

    /// The status code.
    let status: Int
    private let lines: ResponseHeadLines?
    private let state: Locked<State>

    init(_ response: HTTPURLResponse, metrics: TransportMetrics? = nil) {
        status = response.statusCode
        lines = nil
        state = Locked(State(metrics: metrics ?? response.metrics, form: .made(response)))
    }

    /// Nil if the lines hold no status.
    init?(_ lines: ResponseHeadLines, url: URL, metrics: TransportMetrics) {
        guard let status = lines.status else { return nil }
        self.status = status
        self.lines = lines
        state = Locked(State(metrics: metrics, form: .unmade(url)))
    }

    var metrics: TransportMetrics? { state.withLock { $0.metrics } }

    /// Says more of how the exchange went; a response that is made already stays as it is.
    func update(_ metrics: TransportMetrics) {
        state.withLock { state in
            state.metrics = metrics
            state.metrics?.redirects += state.earlier.redirects
            state.metrics?.total += state.earlier.seconds
        }
    }

    /// Says what went before the exchange, and how long it all took where the transport does not know.
    func add(redirects: Int, total: TimeInterval) {
        state.withLock { state in
            let known = state.metrics
            guard redirects > 0 || known == nil else { return }
            state.earlier = (redirects, max(0, total - (known?.total ?? total)))
            state.metrics = known ?? TransportMetrics(total: total)
            state.metrics?.total = total
            state.metrics?.redirects = redirects
        }
    }

    /// The fields as they came; nil if only Foundation's form of them is known.
    var knownFields: ResponseFields? {
        lines.map { ResponseFields($0.fields) } ?? (response as? ReceivedResponse)?.knownFields
    }

    var fields: ResponseFields { knownFields ?? response.receivedFields }

    /// The value of a field, or those of several joined, by a name in any letter case.
    func value(of name: String) -> String? {
        lines.map { ResponseFields($0.fields)[name] } ?? response.value(forHTTPHeaderField: name)
    }

    /// Foundation's form for the log, which is not kept: it lacks what becomes known only later, such as redirects.
    var responseSoFar: HTTPURLResponse {
        let (form, metrics) = state.withLock { ($0.form, $0.metrics) }
        return switch form {
        case .made(let response): response
        case .unmade(let url): makeResponse(url, metrics)
        }
    }

    var response: HTTPURLResponse {
        state.withLock { state in
            switch state.form {
            case .made(let response): return response
            case .unmade(let url):
                let response = makeResponse(url, state.metrics)
                state.form = .made(response)
                return response
            }
        }
    }

    /// On Linux, the one platform where heads come as lines, Foundation's initialiser never fails, whatever the status
    /// and the fields are.
    private func makeResponse(_ url: URL, _ metrics: TransportMetrics?) -> HTTPURLResponse {
        guard let response = ReceivedResponse(url: url, status: status, fields: fields, metrics: metrics) else {
            preconditionFailure("Foundation refuses the status \(status)")
        }
        return response
    }
}
