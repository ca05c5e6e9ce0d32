public import Foundation
public import HTTPTypes
public import NetworkClient
import NetworkClientHTTPTypes
public import OpenAPIRuntime

/// Sends the requests of code that swift-openapi-generator has generated, through a client and its interceptors.
///
/// ```swift
/// let network = NetworkClient(interceptors: [.standardResilience])
/// let api = Client(serverURL: try Servers.Server1.url(), transport: NetworkClientTransport(client: network))
/// ```
///
/// Every status is returned, as generated code expects, although the client's interceptors see an error for statuses
/// that are not accepted, and so can send the request again; the body of such a response is read up to the client's
/// limit, and returned. An error mapper of the client replaces these responses with its errors. Other failures are
/// thrown.
///
/// The path and the query are appended to the server's URL byte by byte. The `operationID` is the label of the call in
/// its journey, log and report, unless the options have one.
///
/// Bodies are streamed in both directions. The body of a request whose length is known and at most 1 MiB is read before
/// it is sent, so that it can be sent again after a redirect or a temporary failure; any other body is read while it is
/// sent, and sent once. Cancelling the task, and releasing the body of a response, end the transfer.
public struct NetworkClientTransport: ClientTransport {
    /// The maximum length in bytes of a body that is kept to be sent again.
    static let longestKeptBody: Int64 = 1 << 20

    private let client: NetworkClient
    private let options: CallOptions

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - client: The client, whose base URL is not used.
    ///   - options: The options of each call.
    public init(client: NetworkClient = NetworkClient(), options: CallOptions = CallOptions()) {
        self.client = client
        self.options = options
    }

    /// Sends a request, and returns its response as soon as the status and the fields are received.
    ///
    /// - Throws: `HTTPTypesConversionError` for a request that Foundation can't represent, `BodySourceError` for a body
    ///   that is kept and shorter than it announces, the errors of the body, `NetworkClient.Error`, and
    ///   `CancellationError`. A status is *not* an error.
    public func send(
        _ request: HTTPRequest,
        body: HTTPBody?,
        baseURL: URL,
        operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        var outgoing = try URLRequest(request, baseURL: baseURL)
        if let body { try await outgoing.carry(body) }
        var options = options
        options.label = options.label ?? operationID
        // A refused status has a whole body, too, as each response of an operation.
        options.bodyLimit = options.bodyLimit ?? client.configuration.bodyLimit
        do {
            let response = try await client.stream(outgoing, options: options)
            let head = try HTTPResponse(response)
            guard !hasNoBody(head, to: request) else {
                _ = try await response.item.data()
                return (head, nil)
            }
            let length = response.item.expectedLength.map { HTTPBody.Length.known(Int64($0)) } ?? .unknown
            return (head, HTTPBody(response.item, length: length, iterationBehavior: .single))
        } catch NetworkClient.Error.apiError(let response, let data) {
            let head = try HTTPResponse(response)
            return (head, hasNoBody(head, to: request) ? nil : HTTPBody(data))
        }
    }

    /// Returns whether a response never has a body (RFC 9112 §6.3).
    private func hasNoBody(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        request.method == .head || [204, 304].contains(response.status.code)
    }
}

extension URLRequest {
    /// Reads a short body of known length, and streams any other.
    fileprivate mutating func carry(_ body: HTTPBody) async throws {
        guard case .known(let length) = body.length, length <= NetworkClientTransport.longestKeptBody else {
            return stream(body)
        }
        let data = try await Data(collecting: body, upTo: Int(max(0, length)))
        // A sequence that observes the cancellation of its task may just end.
        try Task.checkCancellation()
        guard data.count == length else {
            throw BodySourceError.endedEarly(expectedLength: Int(clamping: length), actualLength: data.count)
        }
        httpBody = data
    }

    private mutating func stream(_ body: HTTPBody) {
        var length: Int?
        if case .known(let known) = body.length { length = Int(exactly: known) }
        // The stream that such a request has belongs to the body alone, whatever the method is.
        guard let url else { return }
        httpBodyStream = URLRequest.post(url: url).bodyStream(body, length: length).build().httpBodyStream
    }
}
