import Foundation
import NetworkTestSupport

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a caller gets of a call, as far as it can be told apart.
enum Outcome: Hashable, Sendable {
    case answered(Int, Data)
    /// An answer that the call does not accept.
    case refused(Int, Data)
    case failed(TransportError.Reason)
    case cancelled
    case other(String)

    static func answered(_ status: Int, _ text: String = "") -> Outcome {
        .answered(status, Data(text.utf8))
    }

    static func refused(_ status: Int, _ text: String = "") -> Outcome {
        .refused(status, Data(text.utf8))
    }

    /// Waits for the end of a call; one that hangs is an outcome of its own.
    init(of call: @escaping @Sendable () async throws -> NetworkClient.Response<Data>) async {
        do {
            let response = try await withDeadline(operation: call)
            self = .answered(response.statusCode, response.item)
        } catch is CancellationError {
            self = .cancelled
        } catch NetworkClient.Error.requestError(let error) {
            self = .failed(error.reason)
        } catch NetworkClient.Error.apiError(let response, let data) {
            self = .refused(response.statusCode, data)
        } catch {
            self = .other("\(error)")
        }
    }
}

extension Outcome: CustomStringConvertible {
    /// Of a body its length, where that is what matters.
    var description: String {
        switch self {
        case .answered(let status, let body): "answered \(status) with \(Self.text(of: body))"
        case .refused(let status, let body): "refused \(status) with \(Self.text(of: body))"
        case .failed(let reason): "failed: \(reason)"
        case .cancelled: "cancelled"
        case .other(let text): text
        }
    }

    private static func text(of body: Data) -> String {
        body.count > 40 ? "\(body.count) bytes" : String(decoding: body, as: UTF8.self).debugDescription
    }
}

extension NetworkClient {
    /// Sends a request and says what came of it.
    func outcome(of request: URLRequest, options: CallOptions = CallOptions()) async -> Outcome {
        await Outcome { try await self.fetch(request: request, options: options) }
    }
}
