import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NetworkClient
import NetworkUtilities

/// Sends requests with AsyncHTTPClient.
///
/// It has to be shut down with ``shutDown()`` before it is released.
final class AsyncHTTPClientTransport: Transport {
    private let client: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration()
        // NetworkClient follows redirects and repeats what fails.
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        // NetworkClient limits the length of the decoded body.
        configuration.decompression = .enabled(limit: .none)
        // The limits of each request apply instead.
        configuration.timeout.connect = .hours(1)
        // On Apple platforms, too, so that errors are the same everywhere.
        client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }

    var description: String { "AsyncHTTPClientTransport" }

    /// Cancels the exchanges in flight and closes the connections.
    func shutDown() async throws {
        try await client.shutdown()
    }

    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        let limits = TimeLimits(of: request, options)
        do {
            var outgoing = try Self.outgoing(request, limits)
            // AsyncHTTPClient decodes whatever comes.
            if !options.decodesBody { outgoing.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity") }
            let response = try await limits.apply { [outgoing] in
                try await self.client.execute(outgoing, deadline: .distantFuture)
            }
            let head = try Self.head(of: response, request)
            if Self.hasNoBody(response, request) {
                // AsyncHTTPClient fails if such a response names a content coding. The connection can be used again.
                _ = try? await limits.apply { try await Self.collect(response.body, upTo: 0, limits, request) }
                return TransportResponse(response: head)
            }
            if options.streamsBody {
                let chunks = ResponseChunks(body: response.body, limits: limits) { Self.error($0, request) }
                return TransportResponse(response: head, chunks: chunks)
            }
            let data = try await limits.apply {
                try await Self.collect(response.body, upTo: options.bodyLimit, limits, request)
            }
            return TransportResponse(response: head, data: data)
        } catch {
            throw Self.error(error, request)
        }
    }

    private static func outgoing(_ request: URLRequest, _ limits: TimeLimits) throws -> HTTPClientRequest {
        guard let url = request.url else { throw TransportError(.invalidRequest, request: request) }
        var outgoing = HTTPClientRequest(url: url.absoluteString)
        outgoing.method = NIOHTTP1.HTTPMethod(rawValue: request.httpMethod ?? "GET")
        for (name, value) in request.allHTTPHeaderFields ?? [:] { outgoing.headers.add(name: name, value: value) }
        outgoing.body = try body(of: request, limits)
        return outgoing
    }

    private static func body(of request: URLRequest, _ limits: TimeLimits) throws -> HTTPClientRequest.Body? {
        if request.httpBodyStream == nil { return request.httpBody.map { .bytes(ByteBuffer(data: $0)) } }
        let length: HTTPClientRequest.Body.Length = request.bodyLength.map { .known(Int64($0)) } ?? .unknown
        if let source = request.bodySource {
            return .stream(SourceChunks(source: source, request: request, limits: limits), length: length)
        }
        return .stream(try StreamChunks(of: request, limits: limits), length: length)
    }

    private static func head(of response: HTTPClientResponse, _ request: URLRequest) throws -> HTTPURLResponse {
        // Names in lower case, as in HTTP/2, and one field of each name (RFC 9110 §5.3).
        var fields = response.headers.reduce(into: [String: String]()) { fields, field in
            let name = field.name.lowercased()
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        if let coding = fields["content-encoding"], ["gzip", "deflate"].contains(coding), !hasNoBody(response, request)
        {
            // The fields of the body before AsyncHTTPClient has decoded it.
            for name in ["content-encoding", "content-length"] { fields[name] = nil }
        }
        let head = request.url.flatMap { url in
            HTTPURLResponse(
                url: url,
                statusCode: Int(response.status.code),
                httpVersion: "HTTP/\(response.version.major).\(response.version.minor)",
                headerFields: fields
            )
        }
        guard let head else { throw TransportError(.malformedResponse, request: request) }
        return head
    }

    private static func hasNoBody(_ response: HTTPClientResponse, _ request: URLRequest) -> Bool {
        request.httpMethod == "HEAD" || [.noContent, .notModified].contains(response.status)
    }

    private static func collect(
        _ body: HTTPClientResponse.Body,
        upTo limit: Int,
        _ limits: TimeLimits,
        _ request: URLRequest
    ) async throws -> Data {
        var data = Data()
        for try await buffer in body {
            limits.noteProgress()
            guard data.count + buffer.readableBytes <= limit else {
                throw TransportError(.bodyTooLarge, request: request)
            }
            data.append(contentsOf: buffer.readableBytesView)
        }
        return data
    }
}
