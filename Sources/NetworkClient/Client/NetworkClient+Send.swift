public import NetworkUtilities

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension NetworkClient: NetworkClientProtocol {
    /// A builder for requests to this client, which begins at the configuration's base URL and has its encoders.
    ///
    /// Without a base URL its requests have relative URLs, which a client with a base URL can send.
    public var request: URLRequest.PathBuilder {
        CallBuilder.builder(baseURL: configuration.baseURL, options: configuration.encoders)
    }

    /// Sends the request of an endpoint, as one call: it is observed once, and cancelled as a whole.
    ///
    /// - Returns: The endpoint's value, the status and the header fields.
    /// - Throws: As the overload of `fetch` that decodes, and the errors of the endpoint.
    @discardableResult
    public func send<E: Endpoint>(_ endpoint: E) async throws -> Response<E.Value> {
        try await send(endpoint, progress: nil)
    }

    /// Sends the request of an endpoint, and reports the progress of receiving the body of its response.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - progress: As in the overload of `fetch` that decodes; a call with a closure is never shared.
    /// - Returns: The endpoint's value, the status and the header fields.
    /// - Throws: As ``send(_:)``.
    @discardableResult
    public func send<E: Endpoint>(
        _ endpoint: E,
        progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> Response<E.Value> {
        let board = progress.map { ProgressBoard($0) }
        defer { board?.end() }
        return try await observed(unmadeRequest) { try await value(of: endpoint, receivingOn: board, for: $0) }
    }

    /// Sends the request of an endpoint and makes its value, in one run of the registry, so that `cancelAll()` reaches
    /// the endpoint's own code.
    ///
    /// A value of another type than the response is made by code of the endpoint, which may suspend.
    nonisolated(nonsending) func value<E: Endpoint>(
        of endpoint: E,
        receivingOn board: ProgressBoard? = nil,
        countBody: (@Sendable (URLRequest) -> URLRequest)? = nil,
        for call: ObservedCall?
    ) async throws -> Response<E.Value> {
        let type = ResponseType<E.Response>()
        let options = endpoint.options.accepting(type)
        let log = log(for: options)
        let request = try makeRequest(log, call) { try endpoint.request(from: self.request) }
        do {
            let destination = board.map { self.destination(reportingTo: $0, options) } ?? BodyDestination.memory
            let (chain, prepared) = try chain(for: request, options, destination, countBody, log, call)
            defer { chain.report(to: call) }
            let mayWait = E.Value.self != E.Response.self || options.errorMapper?.mayWait == true
            let response = try await calls.run(mayWait: mayWait) {
                let response = try await chain.run(prepared)
                try CallScope.checkCancellation()
                call?.head = response.head
                let item = try self.decode(response, to: request, options) { try $0.decoded(as: type, by: $1) }
                let decoded = Response(item: item, response)
                return Response(item: try await endpoint.value(from: decoded), response)
            }
            try Task.checkCancellation()
            return response
        } catch {
            let error = Task.isCancelled ? CancellationError() : error
            log?.end(request, .init(of: error))
            guard let known = error as? NetworkClient.Error else { throw error }
            throw (endpoint as? any FailedResponseReader)?.error(for: known) ?? known
        }
    }
}

/// The request of an endpoint, or of a builder.
extension NetworkClient {
    /// Stands for a request that could not be made, in reports and in the log.
    var unmadeRequest: URLRequest { request.method(.get).noBody().build() }

    /// Runs a call that begins with making its request.
    nonisolated(nonsending) func observed<Value>(
        making make: () throws -> URLRequest,
        _ options: CallOptions,
        _ operation: nonisolated(nonsending) (URLRequest, ObservedCall?) async throws -> Value
    ) async throws -> Value {
        try await observed(unmadeRequest) { call in
            try await operation(try makeRequest(log(for: options), call, make), call)
        }
    }

    /// Runs the call of an endpoint whose response is not decoded, which begins with making its request.
    nonisolated(nonsending) func observed<E: Endpoint, Value>(
        _ endpoint: E,
        _ operation: nonisolated(nonsending) (URLRequest, CallOptions, ObservedCall?) async throws -> Value
    ) async throws -> Value {
        try await observed(unmadeRequest) { call in
            let options = endpoint.options
            let request = try makeRequest(log(for: options), call) { try endpoint.request(from: self.request) }
            return try await operation(request, options, call)
        }
    }

    /// Makes the request of a call; a failure ends the call, and is all that its log has.
    private func makeRequest(
        _ log: @autoclosure () -> CallLog?,
        _ call: ObservedCall?,
        _ make: () throws -> URLRequest
    ) throws -> URLRequest {
        do {
            let request = try make()
            call?.request = request
            return request
        } catch {
            var error = error
            if let encoding = error as? BodyEncodingError { error = Error.encodingError(type: encoding) }
            log()?.end(unmadeRequest, .failed(error))
            throw error
        }
    }
}
