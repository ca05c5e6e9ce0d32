import Foundation
import NetworkTestSupport

@testable import NetworkClient

/// The result of a call, in a form that can be compared.
enum Outcome: Hashable, Sendable {
    case answered(Int, Data)
    /// A response that the call does not accept.
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

    /// Waits for the end of a call; a call that hangs has an outcome, too.
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
    /// The length in place of the body, where only that matters.
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
    /// Sends a request and returns the outcome.
    func outcome(of request: URLRequest, options: CallOptions = CallOptions()) async -> Outcome {
        await Outcome { try await self.fetch(request: request, options: options) }
    }
}
