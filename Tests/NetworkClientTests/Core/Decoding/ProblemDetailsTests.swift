import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct ProblemDetailsTests {
    private struct Invalid: Codable, Equatable {
        var name: String
        var since: Date
    }

    private static let body = """
        {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.","status":403,
        "detail":"Your balance is 30.","instance":"/account/12345","balance":30,"big":18446744073709551615,"half":0.5,
        "accounts":["/account/1","/account/2"],"active":true,"note":null,"user_name":"a",
        "invalid":[{"name":"age","since":"1970-01-01"}],"id":9007199254740993}
        """

    private func problem(
        _ body: String,
        status: Int = 403,
        type: String? = "application/problem+json"
    ) -> ProblemDetails? {
        let head = HTTPURLResponse.made(status, headers: type.map { ["Content-Type": $0] } ?? [:])
        return NetworkClient.Error.apiError(response: head, data: Data(body.utf8)).problemDetails
    }

    @Test(.spec(93)) func theDetailsOfAProblemAreReadable() throws {
        let details = try #require(problem(Self.body))
        expect(details.type, "https://example.com/probs/out-of-credit")
        expect(details.title, "You do not have enough credit.")
        expect(details.status, 403)
        expect(details.detail, "Your balance is 30.")
        expect(details.instance, "/account/12345")
    }

    @Test(.spec(78, 93)) func problemDetailsAreDecodedWithoutTheEnvelope() async throws {
        let body = #"{"title":"Invalid","status":422,"errors":{"name":["x"]}}"#
        let transport = StubTransport()
        transport.on(.any, .data(Data(body.utf8), type: .problemJSON, status: 422))
        let client = NetworkClient(transport: transport, decoder: .default.unwrappingEnvelope)
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest(url: url("https://h/a")))
        }
        let problem: ProblemDetails = try #require(error?.getError())
        expectAll((problem.title, problem.status), ("Invalid", 422))
    }

    @Test(.spec(93)) func extensionMembersAreTypedValues() throws {
        let details = try #require(problem(Self.body))
        expect(
            details.extensionNames,
            ["accounts", "active", "balance", "big", "half", "id", "invalid", "note", "user_name"]
        )
        expect(details["balance"], 30)
        expect(details["balance"], 30.0)
        expect(details["big"], UInt64.max)
        expect(details["id"], 9_007_199_254_740_993 as Int64)
        expect(details["half"], 0.5)
        expect(details["accounts"], ["/account/1", "/account/2"])
        expect(details["active"], true)
        expect(details["user_name"], "a")
        expect(details["invalid"], [Invalid(name: "age", since: Date(timeIntervalSince1970: 0))])
    }

    @Test(.spec(93)) func anExtensionMemberThatIsMissingOrOfAnotherTypeIsNil() throws {
        let details = try #require(problem(Self.body))
        expect(details["balance"] as String?, nil)
        expect(details["balance"] as Bool?, nil)
        expect(details["half"] as Int?, nil)
        expect(details["user_name"] as Int?, nil)
        expect(details["note"] as Int?, nil)
        expect(details["nothing"] as Int?, nil)
        expect(details["title"] as String?, nil)
    }

    @Test(
        .spec(93),
        arguments: [
            "{}", #"{"type":null,"title":5,"status":"403","detail":[],"instance":{}}"#,
            #"{"status":403.5,"title":true}"#, #"{"status":1e999,"type":7}"#, #"{"status":9223372036854775808}"#,
        ]
    )
    func membersOfTheWrongTypeAreIgnored(body: String) throws {
        let details = try #require(problem(body))
        expect(details, ProblemDetails())
        expect(details.type, "about:blank")
        expect(details.extensionNames, [])
    }

    @Test(.spec(93)) func anExtensionMemberThatCannotBeReadIsLeftOut() throws {
        let details = try #require(problem(#"{"title":"a","far":1e999,"near":1}"#))
        expect(details.title, "a")
        expect(details["far"] as Double?, nil)
        expect(details["near"], 1)
    }

    @Test(
        .spec(93),
        arguments: [
            ("application/problem+json; charset=utf-8", true), ("Application/Problem+JSON", true),
            ("application/json", false), ("application/problem+xml", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func theMediaTypeDecidesWhetherABodyIsAProblem(type: String?, isProblem: Bool) {
        expect((problem(#"{"title":"a"}"#, type: type) != nil), isProblem)
    }

    @Test(.spec(93), arguments: ["", "null", "[]", "5", "{", #""text""#])
    func aBodyThatIsNotAnObjectIsNotAProblem(body: String) {
        expect(problem(body), nil)
    }

    @Test(.spec(93)) func theWorkForAProblemIsBounded() {
        let long = #"{"title":""# + String(repeating: "a", count: 1 << 16) + #""}"#
        expect(problem(long), nil)
        let nested = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        expect(problem(#"{"title":"a","deep":\#(nested)}"#), nil)
    }

    @Test(.spec(93)) func aTreeWithinACustomDecoderIsNeverNestedTooDeeply() throws {
        let nested = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        let body = Data(#"{"title":"a","deep":\#(nested)}"#.utf8)
        let details = try JSONDecoder().decode(ProblemDetails.self, from: body)
        expect(details.title, "a")
        expect(details.extensionNames, [])
    }

    @Test(.spec(93)) func anErrorWithoutAResponseHasNoProblemDetails() {
        expect(NetworkClient.Error.invalidResponse.problemDetails, nil)
    }

    @Test func aProblemIsEncodedWithItsExtensions() throws {
        let details = try #require(problem(Self.body))
        let again = try JSONDecoder().decode(ProblemDetails.self, from: DefaultJsonEncoder().encode(details))
        expect(again, details)
        let made = ProblemDetails(title: "a", status: 400)
        expect(
            String(decoding: try DefaultJsonEncoder().encode(made), as: UTF8.self),
            #"{"status":400,"title":"a","type":"about:blank"}"#
        )
    }

    @Test(.spec(93), arguments: TransportUnderTest.all)
    func fetchFailsWithTheProblemOfTheServer(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in
            .respond(status: 403, headers: ["Content-Type": "application/problem+json"], body: Self.body)
        }
        let client = try transport.client(decoder: DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest(url: server.url))
        }
        expect(error?.problemDetails?.status, 403)
        expect(error?.problemDetails?["user_name"], "a")
        let decoded: ProblemDetails? = error?.getError()
        expect(decoded, error?.problemDetails)
    }
}
