import Foundation
import NetworkClient

/// A transport that records the bodies of another one.
struct BodyRecorder: Transport {
    private let wrapped: any Transport
    private let record: @Sendable (String) -> Void

    init(_ wrapped: some Transport, record: @escaping @Sendable (String) -> Void) {
        (self.wrapped, self.record) = (wrapped, record)
    }

    var defaults: TransportDefaults { wrapped.defaults }

    var description: String { "BodyRecorder(\(wrapped))" }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        try await wrapped.send(request, options: options).observingBody { [record] part in
            switch part {
            case .success(let chunk?): record(String(decoding: chunk, as: UTF8.self))
            case .success(nil): record("end")
            case .failure(let error): record("\(type(of: error))")
            }
        }
    }
}

/// An observer that reads the head and the body of each exchange.
struct ExchangeRecorder: InterceptorProtocol, ExchangeObserver {
    var runsInCallersTask: Bool { true }

    let record: @Sendable (String) -> Void

    func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        try await RequestContext.current.observing(self) { try await next(request) }
    }

    func willSend(_ request: URLRequest, number: Int) -> ExchangeObservation? {
        ExchangeObservation(onHead: { [record] in record("\(number): \($0.statusCode)") }) { [record] result in
            guard let bytes = try? result.get().body.bytes else { return }
            record("\(number): \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
