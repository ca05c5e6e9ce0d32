import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What the caller of an operation gets.
struct GraphQLResponseTests {
    private let transport = StubTransport()
    private let operation = GraphQLOperation<Viewer>.query("{ viewer { name } }")
    private let reports = Recorder<CallReport>()

    private func client(
        decoder: any DecoderProtocol = .default,
        mapper: ResponseErrorMapper = .default
    ) -> NetworkClient {
        NetworkClient(
            transport: transport,
            decoder: decoder,
            apiErrorMapper: mapper,
            configuration: .init(baseURL: url("https://h"), observer: { [reports] in reports.record($0) })
        )
    }

    private func respond(_ text: String, status: Int = 200, type: String = "application/graphql-response+json") {
        transport.on(.any, .data(Data(text.utf8), type: MediaType(type), status: status))
    }

    /// The error of the operation.
    private func failure(mapper: ResponseErrorMapper = .default) async -> (any Error)? {
        await #expect(throws: (any Error).self) { try await client(mapper: mapper).fetch(operation).item }
    }

    private static let errors = """
        {"errors": [
            {"message": "Not allowed", "locations": [{"line": 2, "column": 5}], "path": ["viewer", "posts", 1, "title"],
             "extensions": {"code": "FORBIDDEN", "retryAfter": 3, "tags": ["a", "b"], "at": "2024-01-02T03:04:05Z"}},
            {"message": "Other"}
        ], "data": {"name": "a", "posts": [{"title": "t"}, {"title": null}]}}
        """

    @Test(.spec(158)) func aCodeIsReadBesideAnInvalidExtensionAndALongPathIsCut() async throws {
        let path = Array(repeating: "0", count: 10_000).joined(separator: ",")
        respond(#"{"errors":[{"message":"m","path":[\#(path)],"extensions":{"code":"DENIED","cost":1e400}}]}"#)
        let error = try #require(await failure() as? GraphQLResponseError)
        expectAll((error.errors.first?.code, error.errors.first?.path.count), ("DENIED", 10_000))
        #expect(error.description.count < 1_000)
    }

    @Test(.spec(158)) func aResponseWithErrorsThrowsTheirListAndKeepsThePartialData() async throws {
        respond(Self.errors)
        let error = try #require(await failure() as? GraphQLResponseError)
        expect(error.errors.map(\.message), ["Not allowed", "Other"])
        let first = try #require(error.errors.first)
        expect(first.locations, [.init(line: 2, column: 5)])
        expect(first.path, [.field("viewer"), .field("posts"), .index(1), .field("title")])
        expectAll((first.code, first["retryAfter"], first["tags"]), ("FORBIDDEN", 3, ["a", "b"]))
        expect(first["at"], Date(timeIntervalSince1970: 1_704_164_645))
        expectAll((first["none"], first["code"]), (nil as Int?, nil as Int?))
        let partial = Viewer(name: "a", posts: [.init(title: "t"), .init(title: nil)])
        expect(error.data(), partial)
        expect(error.data(as: Int.self), nil)
        expect(error.response.statusCode, 200)
        let text = """
            The GraphQL response 200 of 'https://h/graphql' has 2 errors, the first at 'viewer.posts[1].title' with \
            the code 'FORBIDDEN'.
            """
        expect(error.description, text)
        expect(error.localizedDescription, text)
    }

    @Test(.spec(158)) func nullDataWithErrorsThrowsThem() async throws {
        respond(#"{"errors": [{"message": "No"}], "data": null}"#)
        let error = try #require(await failure() as? GraphQLResponseError)
        expect(error.errors, [GraphQLError(message: "No")])
        expect(error.data(as: Viewer.self), nil)
        expect("\(error)", "The GraphQL response 200 of 'https://h/graphql' has an error.")
    }

    @Test(.spec(158)) func dataThatDoesNotFitTheTypeDoesNotHideTheErrors() async throws {
        respond(#"{"errors": [{"message": "No"}], "data": {"name": null}}"#)
        let error = try #require(await failure() as? GraphQLResponseError)
        expectAll((error.errors.count, error.data(as: Viewer.self)), (1, nil))
    }

    @Test(arguments: [
        (#"{"data": null}"#, "the value at 'data' is missing or null where Viewer is expected."),
        ("{}", "the value at 'data' is missing or null where Viewer is expected."),
        (#"{"data": null, "errors": []}"#, "the value at 'data' is missing or null where Viewer is expected."),
        (#"{"data": {"name": 1}}"#, "the value at 'data.name' is not of the type expected, String."),
        (#"{"data": 7}"#, "the value at 'data' is not of the type expected, an object."),
        (#"{"errors": 7}"#, "the value at 'errors' is not of the type expected, an array."),
        (#"{"errors": {"message": "a"}}"#, "the value at 'errors' is not of the type expected, an array."),
        ("[]", "the body is not of the type expected, an object."),
        ("7", "the body is not of the type expected, an object."),
        (
            "<html>",
            DefaultDecoder().implementation == .native
                ? "the body is not valid JSON: a value is expected, at byte 0."
                : "the body is not valid JSON, or contains a number that does not fit its type."
        ),
    ])
    func aResponseOfAnotherShapeIsADecodingError(body: String, reason: String) async throws {
        respond(body)
        let error = try #require(await failure() as? NetworkClient.Error)
        expect(error.description, "The response 200 of 'https://h/graphql' cannot be decoded: \(reason)")
        expect(error.data, Data(body.utf8))
    }

    @Test(arguments: [
        "null", "7", #""text""#, "[]", "{}", #"{"message": 5, "locations": 1, "path": 2, "extensions": []}"#,
        #"{"locations": [{"line": "a"}], "path": [1.5, null, {}], "extensions": {"a": 1e999}}"#,
    ])
    func anErrorOfAnotherShapeIsStillAnError(entry: String) async throws {
        respond(#"{"data": {"name": "a"}, "errors": [\#(entry)]}"#)
        let error = try #require(await failure() as? GraphQLResponseError)
        expect(error.errors.map(\.message), [entry == #""text""# ? "text" : ""])
        expect(error.data(), Viewer(name: "a"))
    }

    @Test func deeplyNestedExtensionsDoNotExhaustTheStack() async throws {
        let depth = 400
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        respond(#"{"errors": [{"message": "a", "extensions": {"x": \#(nested)}}]}"#)
        let client = client(decoder: DefaultDecoder())
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(operation).item }
        let plain = self.client(decoder: PlainJSON())
        let error = await #expect(throws: GraphQLResponseError.self) { try await plain.fetch(operation).item }
        expect(error?.errors.map(\.message), ["a"])
    }

    /// Foundation's decoder, which accepts 512 levels.
    private struct PlainJSON: DecoderProtocol {
        func decode<T: Decodable>(data: Data) throws -> T { try JSONDecoder().decode(T.self, from: data) }
    }

    @Test(arguments: [400, 401, 500]) func theBodyOfAnErrorStatusHasTheErrors(status: Int) async throws {
        respond(#"{"errors": [{"message": "No"}]}"#, status: status, type: "application/graphql-response+json; a=b")
        let error = try #require(await failure() as? GraphQLResponseError)
        expectAll((error.errors.map(\.message), error.response.statusCode), (["No"], status))
    }

    @Test(arguments: [
        (#"{"errors": [{"message": "No"}]}"#, "application/json"), ("Bad gateway", "text/html"),
        ("Bad gateway", "application/graphql-response+json"), ("{}", "application/graphql-response+json"),
        (#"{"data": {"name": "a"}}"#, "application/graphql-response+json"),
    ])
    func anotherBodyOfAnErrorStatusIsThatOfTheServer(body: String, type: String) async throws {
        respond(body, status: 502, type: type)
        let error = try #require(await failure() as? NetworkClient.Error)
        expectAll((error.statusCode, error.data), (502, Data(body.utf8)))
    }

    @Test(.spec(86)) func theErrorMapperOfTheClientTakesPrecedence() async throws {
        struct SignInRequired: Error {}
        respond(#"{"errors": [{"message": "No"}]}"#, status: 401)
        let mapper = ResponseErrorMapper { info -> any Error in
            info.response.statusCode == 401 ? SignInRequired() as any Error : info.error
        }
        #expect(await failure(mapper: mapper) is SignInRequired)
        respond(#"{"errors": [{"message": "No"}]}"#, status: 403)
        #expect(await failure(mapper: mapper) is GraphQLResponseError)
    }

    @Test(.spec(92), arguments: [200, 500]) func anObserverGetsTheErrorsOnce(status: Int) async throws {
        respond(#"{"errors": [{"message": "No"}]}"#, status: status)
        _ = await failure()
        expect(reports.count, 1)
        #expect(reports.values.first?.error is GraphQLResponseError)
        respond(#"{"data": {"name": "a"}}"#)
        _ = try await client().fetch(operation).item
        #expect(reports.count == 2 && reports.values.last?.error == nil)
    }

    @Test func theDecoderOfTheClientDecodesTheData() async throws {
        struct User: Decodable, Equatable, Sendable { var firstName: String }
        respond(#"{"data": {"first_name": "a"}}"#)
        let client = client(decoder: DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase))
        expect(try await client.fetch(GraphQLOperation<User>.query("{ a }")).item, User(firstName: "a"))
        let response = try await client.send(GraphQLOperation<User>.query("{ a }"))
        expectAll((response.statusCode, response["content-type"]), (200, "application/graphql-response+json"))
    }

    /// The client's decoder unwraps an envelope and has a key strategy; the call's options bring another decoder.
    @Test func theValueOfAnOperationCanBeInsideItsData() async throws {
        respond(#"{"data": {"my_viewer": {"posts": [{"title": "t"}]}}}"#)
        let snakeCase = DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase)
        let operation = GraphQLOperation<[Viewer.Post]>.query("{ a }").unwrapping("myViewer").unwrapping("posts")
        let posts = [Viewer.Post(title: "t")]
        expect(try await client(decoder: snakeCase.unwrapping("items")).fetch(operation).item, posts)
        expect(try await client().fetch(operation, options: CallOptions(decoder: snakeCase)).item, posts)
        let only = GraphQLOperation<[Viewer.Post]>.query("{ a }").unwrapping().unwrapping("posts")
        expect(try await client(decoder: snakeCase).fetch(only).item, posts)
        respond(#"{"data": {"myViewer": {"posts": null}}}"#)
        let optional = GraphQLOperation<[Viewer.Post]?>.query("{ a }").unwrapping("myViewer", "posts")
        expect(try await client().fetch(optional).item, nil)
        respond(#"{"data": {"myViewer": {}}}"#)
        let error = await #expect(throws: NetworkClient.Error.self) { try await client().fetch(optional) }
        expect(error?.description, contains: "data.myViewer", "posts")
        respond(#"{"name": "no envelope"}"#, status: 400, type: "application/json")
        let gateway = await #expect(throws: NetworkClient.Error.self) {
            try await client(decoder: .default.unwrapping("items")).fetch(operation)
        }
        expect((gateway?.getError() as Viewer?)?.name, "no envelope")
        var other = GraphQLOperation<Viewer>.query("{ a }", options: operation.options)
        other.options = operation.options
        respond(#"{"data": {"name": "a"}}"#)
        expect(try await client().fetch(other).item.name, "a")
        respond(#"{"data": {"myViewer": null}, "errors": [{"message": "m"}]}"#)
        let refusal = await #expect(throws: GraphQLResponseError.self) { try await client().fetch(optional) }
        expect(refusal?.errors.map(\.message), ["m"])
    }

    @Test func aMutationWhoseDataDoesNotMatterSucceeds() async throws {
        respond(#"{"data": {"deleteUser": {"id": 1}}}"#)
        _ = try await client().fetch(GraphQLOperation<EmptyResponse>.mutation("mutation { deleteUser { id } }")).item
    }

    @Test(.spec(94)) func noTextOfAnErrorQuotesTheServer() async throws {
        let secret = "hunter2"
        respond(#"{"errors": [{"message": "\#(secret)", "extensions": {"code": "not \#(secret)!"}}], "data": null}"#)
        let error = try #require(await failure() as? GraphQLResponseError)
        var dumped = ""
        dump(error, to: &dumped)
        let texts = ["\(error)", "\(error.errors)", String(reflecting: error), error.localizedDescription, dumped]
        for text in texts { #expect(!text.contains(secret)) }
        expect(LogRedaction.sensitive.text(of: error), error.description)
    }

    @Test func aResponseThatACodeSuppliesWithoutDataIsADecodingError() async throws {
        let head = try #require(
            HTTPURLResponse(url: url("https://h"), statusCode: 200, httpVersion: nil, headerFields: nil)
        )
        let response = NetworkClient.Response(item: GraphQLResponse<Viewer>(data: nil), httpResponse: head)
        let error = await #expect(throws: NetworkClient.Error.self) { try await operation.value(from: response) }
        #expect(error?.response === head)
    }
}
