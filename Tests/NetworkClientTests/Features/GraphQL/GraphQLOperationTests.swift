import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

private struct Login: Encodable {
    var loginName = "me"
    var limit: Int?
}

extension Endpoint where Self == GraphQLOperation<Viewer> {
    fileprivate static func viewer(login: String) -> Self {
        .query("query ($login: String!) { viewer(login: $login) { name } }", variables: ["login": login])
    }
}

/// What is sent for an operation, and how it goes through the client.
struct GraphQLOperationTests {
    private let transport = StubTransport()

    private func client(
        base: String = "https://api.example.com/v1",
        interceptors: [any InterceptorProtocol] = [],
        decoder: any DecoderProtocol = .default,
        logging: any NetworkLogger = .off,
        mapper: ResponseErrorMapper = .default,
        time: any TimeSource = SystemTimeSource(),
        observer: (@Sendable (CallReport) -> Void)? = nil
    ) -> NetworkClient {
        NetworkClient(
            transport: transport,
            interceptors: interceptors,
            decoder: decoder,
            logging: logging,
            apiErrorMapper: mapper,
            configuration: .init(baseURL: url(base), time: time, observer: observer)
        )
    }

    private static let data = #"{"data": {"name": "a"}}"#

    /// The body of the request of an operation, as text.
    private func body(of operation: GraphQLOperation<Viewer>, options: URLRequestBuilderOptions = .init()) throws
        -> String
    {
        let builder = URLRequest.builder(baseURL: url("https://h"), options: options)
        return String(decoding: try operation.request(from: builder).httpBody ?? Data(), as: UTF8.self)
    }

    @Test(.spec(157)) func aQueryWithVariablesIsPostedAsJSON() async throws {
        transport.on(.any, .json(text: Self.data))
        expect(try await client().fetch(.viewer(login: "me")).item, Viewer(name: "a"))
        let request = try #require(transport.requests.first)
        expectAll((request.method, request.url), (.post, url("https://api.example.com/v1/graphql")))
        expect(request[header: "content-type"], "application/json")
        expect(request[header: "accept"], "application/graphql-response+json, application/json")
        let text = String(decoding: request.body, as: UTF8.self)
        let query = "query ($login: String!) { viewer(login: $login) { name } }"
        expect(text, #"{"query":"\#(query)","variables":{"login":"me"}}"#)
    }

    @Test(.spec(157), arguments: TransportUnderTest.all)
    func anOperationIsSentOverTheWire(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .json(Self.data) }
        let client = try transport.client(configuration: .init(baseURL: server.url))
        expect(try await client.fetch(.viewer(login: "é")).item, Viewer(name: "a"))
        let request = try await server.request(at: 0)
        expectAll((request.method, request.path), ("POST", "/graphql"))
        #expect(String(decoding: request.body, as: UTF8.self).hasSuffix(#""variables":{"login":"é"}}"#))
    }

    @Test(.spec(157)) func anOperationWithoutVariablesSendsNone() throws {
        expect(try body(of: .query("{ viewer { name } }")), #"{"query":"{ viewer { name } }"}"#)
        let none: Login? = nil
        expect(try body(of: .query("{ a }", variables: none)), #"{"query":"{ a }"}"#)
        expect(try body(of: .mutation("mutation { a }")), #"{"query":"mutation { a }"}"#)
    }

    @Test func theNameAndTheExtensionsAreMembersOfTheBody() throws {
        var operation = GraphQLOperation<Viewer>.query("query A { a } query B { b }", operationName: "B")
        // As in variables, nil is left out.
        operation.extensions = ["persistedQuery": ["version": 1], "none": nil]
        let expected = #"{"extensions":{"persistedQuery":{"version":1}},"operationName":"B","query":"query A { a } "#
        expect(try body(of: operation), expected + #"query B { b }"}"#)
    }

    @Test func aKeyStrategyChangesTheNamesOfVariablesOnly() throws {
        let options = URLRequestBuilderOptions(encoder: DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase))
        let operation = GraphQLOperation<Viewer>.query("{ a }", variables: Login(), operationName: "A")
        let expected = #"{"operationName":"A","query":"{ a }","variables":{"login_name":"me"}}"#
        expect(try body(of: operation, options: options), expected)
        let names = GraphQLOperation<Viewer>.query("{ a }", variables: ["loginName": 1])
        expect(try body(of: names, options: options), #"{"query":"{ a }","variables":{"loginName":1}}"#)
    }

    @Test(.spec(230, 278)) func variablesOfSeveralTypesAreSentWithoutThoseThatAreNil() throws {
        let filter: [String: any Sendable] = ["size": 2.5, "name": "x"]
        let none: [String: Int?] = ["loginName": 1, "none": nil]
        let rows: [(GraphQLOperation<Viewer>, String)] = [
            (.query("{ a }", variables: ["id": 1, "n": "x", "z": nil, "u": NSNull()]), #"{"id":1,"n":"x","u":null}"#),
            (.query("{ a }", variables: ["f": filter, "ids": [1]]), #"{"f":{"name":"x","size":2.5},"ids":[1]}"#),
            (.mutation("{ a }", variables: filter), #"{"name":"x","size":2.5}"#),
            (.query("{ a }", variables: none), #"{"loginName":1}"#),
            (.query("{ a }", variables: ["lN": "a", "b": true]), #"{"b":true,"lN":"a"}"#),
        ]
        let options = URLRequestBuilderOptions(encoder: DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase))
        for (operation, variables) in rows {
            expect(try body(of: operation, options: options), #"{"query":"{ a }","variables":\#(variables)}"#)
        }
        expect(try body(of: .query("{ a }", variables: nil)), #"{"query":"{ a }"}"#)
        var get = rows[0].0
        get.usesGET = true
        let url = try get.request(from: URLRequest.builder(baseURL: url("https://h"))).url
        expect(url?.queryParameters?["variables"], rows[0].1)
    }

    @Test func variablesThatCannotBeEncodedAreAnErrorBeforeSending() async {
        struct Opaque: Sendable {}
        let rows: [(GraphQLOperation<Viewer>, String)] = [
            (.query("{ a }", variables: ["x": Double.infinity]), "is a number that is not finite"),
            (.query("{ a }", variables: ["x": Opaque(), "y": 1]), "is of type Opaque and has no JSON form"),
        ]
        for (operation, reason) in rows {
            let error = await #expect(throws: NetworkClient.Error.self) { try await client().fetch(operation).item }
            let expected = BodyEncodingError.json(path: "variables.x", reason: reason)
            guard case .encodingError(expected) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        arguments: [
            (nil, "https://h/v1"), ("graphql", "https://h/v1/graphql"), ("/a/b", "https://h/v1/a/b"),
        ] as [(RequestPath?, String)]
    )
    func thePathIsAppendedToTheBaseURL(path: RequestPath?, sent: String) async throws {
        transport.on(.any, .json(text: Self.data))
        _ = try await client(base: "https://h/v1").fetch(GraphQLOperation<Viewer>.query("{ a }", path: path)).item
        expect(transport.requests.map(\.url.absoluteString), [sent])
    }

    @Test func aQueryCanBeSentAsGET() async throws {
        transport.on(.any, .json(text: Self.data))
        var operation = GraphQLOperation<Viewer>.query("{ a(b: 1) }", variables: Login(limit: 2), operationName: "A")
        operation.usesGET = true
        operation.extensions = ["v": 1]
        operation.headers = [.custom(name: "X-Preflight", value: "1")]
        _ = try await client().fetch(operation).item
        let request = try #require(transport.requests.first)
        expectAll((request.method, request.body, request[header: "content-type"]), (.get, Data(), nil))
        expect(request[header: "X-Preflight"], "1")
        let items = request.queryItems.map { "\($0.name)=\($0.value ?? "")" }
        let variables = #"variables={"limit":2,"loginName":"me"}"#
        expect(items, ["query={ a(b: 1) }", "operationName=A", variables, #"extensions={"v":1}"#])
        expect(request.url.absoluteString, contains: "query=%7B%20a%28b%3A%201%29%20%7D&")
    }

    @Test func aMutationIsNeverSentAsGETAndNeverShared() throws {
        var operation = GraphQLOperation<Viewer>.mutation("mutation { a }")
        operation.usesGET = true
        operation.isShared = true
        let request = try operation.request(from: URLRequest.builder(baseURL: url("https://h")))
        expect(request.method, .post)
        expect(request, request.clearingInstanceCaching())
        expect(request.allHTTPHeaderFields?.count, 2)
    }

    @Test(arguments: [GraphQLOperation<Viewer>.Kind.query, .mutation])
    func aQueryIsRetriedAndAMutationIsNot(kind: GraphQLOperation<Viewer>.Kind) async throws {
        transport.on(.any, .status(503), .json(text: Self.data))
        let client = client(interceptors: [.retry()], time: TestClock(advancesItself: true))
        let operation: GraphQLOperation<Viewer> = kind == .query ? .query("{ a }") : .mutation("{ a }")
        let value = try? await client.fetch(operation).item
        expect(value, (kind == .query ? Viewer(name: "a") : nil))
        expect(transport.requests.count, (kind == .query ? 2 : 1))
    }

    @Test func theOptionsOfAnOperationTakePrecedence() async throws {
        transport.on(.any, .status(503), .json(text: Self.data))
        var operation = GraphQLOperation<Viewer>.query("{ a }")
        operation.options.isIdempotent = false
        operation.options.idleTimeout = 7
        let client = client(interceptors: [.retry()], time: TestClock(advancesItself: true))
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(operation).item }
        expect(transport.requests.map(\.urlRequest.timeoutInterval), [7])
        var mutation = GraphQLOperation<Viewer>.mutation("mutation { a }")
        mutation.headers = [.custom(name: "Idempotency-Key", value: "k")]
        expect(try await client.fetch(mutation).item, Viewer(name: "a"))
    }

    @Test func identicalQueriesCanShareOneExchange() async throws {
        let gate = Gate()
        let data = Self.data
        transport.on(.any) { _ in
            try await gate.wait()
            return .json(text: data)
        }
        var shared = GraphQLOperation<Viewer>.query("{ a }")
        shared.isShared = true
        let (client, operation) = (client(), shared)
        async let first = client.fetch(operation).item
        async let second = client.fetch(operation).item
        while client.sharing.waiterCount < 2 { await Task.yield() }
        gate.open()
        expect(try await [first, second], [Viewer(name: "a"), Viewer(name: "a")])
        expect(transport.requests.count, 1)
    }

    @Test func cancelAllEndsAnOperation() async throws {
        transport.on(.any, .never)
        let client = client(interceptors: [.retry()])
        let call = Task { try await client.fetch(.viewer(login: "me")).item }
        try await transport.waitForRequests(count: 1)
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test(arguments: [false, true]) func theLogMasksSecretVariables(usesGET: Bool) async throws {
        transport.on(.any, .json(text: Self.data))
        let stream = RecordingStream()
        let logger = DefaultLogger(logStream: stream, requestLevel: .full, responseLevel: .full)
        struct Variables: Encodable {
            struct Input: Encodable { var password = "hunter2" }
            var input = Input()
            var page = 7
        }
        var operation = GraphQLOperation<Viewer>.query("{ a }", variables: Variables())
        operation.usesGET = usesGET
        _ = try await client(logging: logger).fetch(operation).item
        let text = stream.records.map(\.message).joined(separator: "\n")
        #expect(text.contains("graphql") && text.contains("***"), "\(text)")
        #expect(!text.contains("hunter2"), "\(text)")
    }

    @Test func theTextOfAnOperationHasNoVariables() {
        let operation = GraphQLOperation<Viewer>.query("{ a }", variables: ["password": "hunter2"], operationName: "A")
        var dumped = ""
        dump(operation, to: &dumped)
        expect("\(operation)", "GraphQLOperation (query A)")
        expect(dumped, lacks: "hunter2")
    }
}
