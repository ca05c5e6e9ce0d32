import Foundation
import NetworkClient
import NetworkUtilities

/// One call of a soak.
struct SoakCall: Sendable {
    let kind: SoakKind
    let index: Int
    let server: URL

    var number: Int { kind.number(of: index) }

    func run(_ client: NetworkClient) async throws -> SoakKind.Outcome {
        let request = try request()
        do {
            if kind == .head {
                try await client.fetch(request: request)
                return .item(nil)
            }
            let response: NetworkClient.Response<SoakItem> = try await client.fetch(request: request, options: options)
            return .item(response.item.number)
        } catch NetworkClient.Error.apiError(let response, _) {
            return .status(response.statusCode)
        } catch NetworkClient.Error.decodingError {
            return .failure("decodingError")
        } catch NetworkClient.Error.requestError(let error) {
            let outcome = SoakKind.Outcome.failure("\(error.reason)")
            if kind.permits(outcome, of: number) || kind.isLoss("\(error.reason)") { return outcome }
            throw Unexpected(description: "\(error) [\(error.reason); \(error.underlying.map { "\($0)" } ?? "")]")
        }
    }

    /// A failure with its underlying error, which the library's description leaves out.
    private struct Unexpected: Error, CustomStringConvertible {
        let description: String
    }

    private var options: CallOptions {
        switch kind {
        case .tooLarge: CallOptions(bodyLimit: 1_000)
        case .timedOut: CallOptions(totalTimeout: 0.004)
        default: CallOptions()
        }
    }

    private func request() throws -> URLRequest {
        guard let url = URL(string: "/\(kind.rawValue)/\(number)", relativeTo: server)?.absoluteURL else {
            throw URLError(.badURL)
        }
        var request = try bare(url)
        // Sharing ignores this field, since it is for tracing; the server uses it to report the progress of the call.
        request.set(header: .custom(name: "X-Request-ID", value: String(index)))
        return request
    }

    private func bare(_ url: URL) throws -> URLRequest {
        switch kind {
        case .json, .redirectedPost:
            return try URLRequest.post(url: url).bodyJson(of: SoakItem(number: number)).build()
        case .upload:
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: try JSONEncoder().encode(SoakItem(number: number)))
            return request
        case .head:
            var request = URLRequest(url: url)
            request.httpMethod = "HEAD"
            return request
        case .shared: return URLRequest(url: url).withInstanceCaching()
        default: return URLRequest(url: url)
        }
    }
}

/// The value in the soak server's responses, and in the bodies of requests.
struct SoakItem: Codable, Sendable {
    let number: Int
    var padding = ""
}
