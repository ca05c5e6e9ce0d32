import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

extension PublicTypesTests {
    static let secret = "s3cret"
    private static let place = url("https://u:s3cret@h/items?access_token=s3cret")
    private static let json = #"{"password": "s3cret"}"#
    private static let fields = [
        "Set-Cookie": "sid=s3cret", "Link": "<https://h/items?access_token=s3cret&page=2>; rel=next",
    ]
    private static let response = HTTPURLResponse.made(url: place.absoluteString, headers: fields)
    private static let part = MultipartPart(name: "password", text: secret)

    private static func request() -> URLRequest {
        URLRequest.get(url: place).set(header: .authorization(.bearer(secret))).build()
    }

    private static func client(
        _ body: String = json,
        type: String = "application/json",
        observer: (@Sendable (CallReport) -> Void)? = nil
    ) -> NetworkClient {
        let head = HTTPURLResponse.made(
            url: place.absoluteString,
            headers: fields.merging(["Content-Type": type]) { $1 }
        )
        return NetworkClient(
            transport: ClosureTransport { _ in (Data(body.utf8), head) },
            interceptors: [HeadersInterceptor([.authorization(.bearer(secret))])],
            configuration: .init(baseURL: place, cookies: CookieStore(), observer: observer)
        )
    }

    private static func thrown(_ body: () async throws -> Any) async throws -> Any {
        try await #require(throws: (any Error).self) { _ = try await body() }
    }

    static func values() async throws -> [Any] {
        try await requests() + endpoints() + credentials() + errors() + responses() + bodies() + events() + pages()
            + sockets() + transports()
    }

    private static func requests() throws -> [Any] {
        let bytes = Data(secret.utf8)
        let path: RequestPath = "items/\(secret)?token=\(secret)"
        var interpolation = RequestPath.StringInterpolation(literalCapacity: 0, interpolationCount: 1)
        interpolation.appendInterpolation(secret)
        let form = MultipartFormBuilder()
        form.add(part)
        return [
            DataBodySource(bytes), HeaderField.authorization(.bearer(secret)), MultipartForm(parts: [part]), form, part,
            QueryItem("token", value: secret), URLRequest.get(url: place).set(header: .authorisation(auth: secret)),
            RequestContent.data(bytes), path, interpolation, URLEncodedForm(pairs: ["password": secret]),
        ]
    }

    private static func endpoints() throws -> [Any] {
        let error = GraphQLError(message: secret)
        return [
            EndpointProperty<HeaderPart, String>(wrappedValue: secret), NamedProperty(wrappedValue: secret),
            GraphQLDocument(#"{ login(password: "s3cret") { id } }"#), error,
            GraphQLOperation<Int>.query("{ a }", variables: ["password": secret]),
            GraphQLResponse<Int>(data: 1, errors: [error]),
            GraphQLResponseError(GraphQLResponse<String>(data: secret, errors: [error]), response),
        ]
    }

    private static func credentials() throws -> [Any] {
        let token = AccessToken(secret, refreshToken: secret)
        let store = InMemoryCredentialStore(token)
        let scheme = AuthenticationScheme.bearer(secret)
        let cookie = try Cookie(name: "sid", value: secret, domain: "h")
        let interceptor = AuthenticationInterceptor(scheme, origins: [place])
        let headers = HeadersInterceptor([.authorization(.bearer(secret))])
        let certificate = TransportSecurity.ClientCertificate(pkcs12: url("file:///a"), password: secret)
        return [
            Credential.bearer(secret), token, store, scheme, interceptor, headers, cookie,
            CookieStore(cookies: [cookie]), InterceptorStack([interceptor, headers]), TokenSession(store: store),
            OAuthGrant.clientCredentials(id: "a", secret: secret), certificate,
            TransportSecurity(clientCertificate: certificate),
            NetworkClient.Environment(
                baseURL: place,
                headers: [.authorization(.bearer(secret))],
                authentication: scheme
            ),
            try #require(PKCE(verifier: String(repeating: secret, count: 8))),
        ]
    }

    private static func errors() async throws -> [Any] {
        let emptySegment = try await thrown {
            try URLRequest.builder(baseURL: place).get(path: "a/\("")/b?token=\(secret)")
        }
        guard case RequestPathError.emptySegment(let segment) = emptySegment else { return [emptySegment] }
        let info = ResponseErrorMapper.Info(response: response, data: Data(json.utf8))
        return [
            try await thrown { try DefaultFormEncoder().encode(of: ["password": Refusal()]) },
            try await thrown { try QueryItem("token", value: Refusal()) },
            try await thrown { try URL(http: "https://u:s3cret@[::?token=s3cret") },
            try await thrown { try HeaderField(name: "a b", value: secret) },
            try await thrown { try Cookie(name: "a", value: "\(secret)\n", domain: "h") },
            try await thrown { try RequestPath.template("{a:3}", variables: ["a": [secret]]) },
            try await thrown { try StubTransport(har: Data(json.utf8)) },
            try await thrown { try await client().fetch(Misrouted(token: secret)).item },
            emptySegment, segment, info, info.error,
            AuthenticationError(.refreshFailed, request: request(), response: response, data: Data(json.utf8)),
            OAuthError(.invalidGrant, explanation: secret, uri: place.absoluteString),
            TransportError(.timedOut, request: request()),
            ProblemDetails(detail: secret, instance: place.absoluteString),
        ]
    }

    private static func responses() async throws -> [Any] {
        let reports = Recorder<CallReport>()
        let client = client { reports.record($0) }
        let response = try await client.fetch(request: request(), as: EmptyResponse.self)
        let journey = CallJourney(steps: [.init(time: 0, kind: .redirect, .place(place), number: 302)])
        let lossy: LossyArray<Picky> = try DefaultDecoder().decode(data: Data("[1]".utf8))
        let received = NetworkLogEvent.Stage.received(response: self.response, data: Data(json.utf8))
        let head = HTTPURLResponse.made(
            url: place.absoluteString,
            headers: fields.merging(["Cache-Control": "max-age=60"]) { $1 }
        )
        let cache = ResponseCache()
        let caching = NetworkClient(
            transport: ClosureTransport { _ in (Data(json.utf8), head) },
            configuration: .init(cache: cache)
        )
        try await caching.fetch(request: request())
        expect(cache.statistics.stored, 1)
        return [
            cache, caching.configuration, response, response.fields,
            ResponseFields.Field(name: "Set-Cookie", value: secret), journey,
            try #require(journey.steps.first),
            try #require(reports.values.first), lossy, try #require(lossy.drops.first),
            UndecodableResponse(response: self.response, data: Data(json.utf8), underlyingError: Refusal()),
            received, NetworkLogEvent(request: request(), stage: received),
        ]
    }

    private static func bodies() async throws -> [Any] {
        func body(type: String = "application/x-ndjson") async throws -> ResponseBody {
            let lines = type == "text/event-stream" ? "data: \(json)\n\ndata: \(json)\n\n" : "\"s3cret\"\n\"s3cret\"\n"
            return try await client(lines, type: type).stream(request()).item
        }
        let whole = try await body()
        var chunks = whole.makeAsyncIterator()
        let lines = try await body().lines
        var line = lines.makeAsyncIterator()
        let values = try await body().values(of: String.self)
        var value = values.makeAsyncIterator()
        let events = try await body(type: "text/event-stream").events
        var event = events.makeAsyncIterator()
        expect(try await chunks.next()?.count, 18)
        expect([try await line.next(), try await value.next()], ["\"s3cret\"", "s3cret"])
        expect(try await event.next()?.data, json)
        let upload = client().upload(request().decoded(as: EmptyResponse.self))
        _ = try await upload.value
        let directory = try TemporaryDirectory()
        let download = client().download(request(), to: directory.url.appendingPathComponent("a"))
        _ = try await download.value
        return [whole, chunks, lines, line, values, value, events, event, upload, download]
    }

    private static func events() async throws -> [Any] {
        let events = client("data: \(json)\n\ndata: \(json)\n\n", type: "text/event-stream")
            .events(request())
        var iterator = events.makeAsyncIterator()
        let event = try #require(try await iterator.next())
        let error = EventStreamError(event, in: response, after: 1, decoder: .default)
        return [event, events, iterator, error, EventStream.State.opened(response)]
    }

    private static func pages() async throws -> [Any] {
        let pages = client("[\"s3cret\", \"s3cret\"]").pages(request().decoded(as: [String].self))
        var page = pages.makeAsyncIterator()
        var item = pages.items.makeAsyncIterator()
        expect([try await page.next()?.item.count, try await item.next()?.count], [2, 6])
        return [pages, page, pages.items, item]
    }

    private static func sockets() async throws -> [Any] {
        let (stub, peers) = (StubTransport(), Recorder<StubPeer>())
        stub.on(
            .any,
            .webSocket(subprotocol: secret) { peer in
                peers.record(peer)
                await peer.send(secret)
                _ = await peer.next()
            }
        )
        let client = NetworkClient(transport: stub)
        let socket = try await client.webSocket(request(), protocols: [secret])
        let (values, message) = (socket.values(of: String.self), try await socket.receive())
        let again = client.webSocket(request(), reconnecting: .never)
        var options = TransportOptions()
        options.opensSocket = WebSocketOpening(protocols: [secret])
        return [
            options,
            again, again.makeAsyncIterator(), ReconnectingWebSocket.State.opened(response),
            socket, socket.makeAsyncIterator(), values, values.makeAsyncIterator(), message,
            WebSocketClosed(code: .normal, reason: secret), try #require(peers.values.first),
        ]
    }

    private static func transports() async throws -> [Any] {
        let stub = StubTransport()
        let recorder = HARRecorder(wrapping: stub)
        let pattern = StubTransport.Pattern.get("/items?access_token=s3cret").header("Authorization", "Bearer s3cret")
        let canned = StubTransport.Response.json(["password": secret])
        stub.on(pattern, canned)
        let looks = Looks()
        let client = NetworkClient(transport: recorder, interceptors: [looks], configuration: .init(baseURL: place))
        _ = try await client.fetch(request: request())
        stub.on(pattern, canned)
        let session = URLSessionConfiguration.ephemeral
        session.httpAdditionalHeaders = ["Authorization": "Bearer s3cret"]
        let urlSession = URLSessionTransport(session: URLSession(configuration: session))
        defer { urlSession.shutDown() }
        let response = TransportResponse(response: response, data: Data(json.utf8))
        var values: [Any] = [
            stub, recorder, pattern, canned, try #require(stub.requests.first), try #require(stub.complaints.first),
            try #require(looks.seen.values.first), client, client.configuration, response, response.body,
            response.body.chunks, response.body.chunks.makeAsyncIterator(),
            RequestContext.Facts(
                performed: 1,
                redirectedURL: url("https://u:s3cret@h/?k=s3cret"),
                isShared: true,
                becameGet: true,
                covered: (Refusal(), nil)
            ),
            ExchangeObservation(setting: [.custom(name: "Tenant", value: secret)]) { _ in },
            ClosureTransport(json: json), urlSession, urlSession.defaults,
        ]
        #if os(Linux)
        let proxy = CurlTransport.Proxy.server(place)
        let curl = try CurlTransport(configuration: .init(proxy: proxy))
        defer { curl.shutDown() }
        values += [curl, curl.configuration, proxy]
        #endif
        return values
    }
}

/// Refuses its value with an error that has the secret.
private struct Picky: Decodable {
    init(from decoder: any Decoder) throws { throw Refusal() }
}

private struct Refusal: Encodable, Error {
    let secret = "s3cret"
    func encode(to encoder: any Encoder) throws { throw self }
}

private struct Misrouted: RoutedEndpoint {
    static let route = Route.get("items")
    @Path var token: String
}

/// Records the context of each request that passes it.
private struct Looks: InterceptorProtocol {
    let seen = Recorder<RequestContext>()

    func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
        seen.record(RequestContext.current)
        return try await next(request)
    }
}
