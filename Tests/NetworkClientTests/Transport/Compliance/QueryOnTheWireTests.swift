import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The bytes that a server receives of queries and forms.
struct QueryOnTheWireTests {
    @Test(.spec(2), arguments: TransportUnderTest.all)
    func queryItemsAreSentInCallOrder(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.get(url: $0)
                .add(query: "param1", value: "value1").add(query: "param2", value: "value2").build()
        }
        #expect(request.target == "/items?param1=value1&param2=value2")
    }

    @Test(.spec(9), arguments: TransportUnderTest.all)
    func addAppendsAndSetReplacesQueryItems(transport: TransportUnderTest) async throws {
        func start(_ base: URL) -> URLRequest.QueryBuilder {
            URLRequest.get(url: url(base.absoluteString + "?tag=a&tag=b&q=1"))
        }
        let added = try await LoopbackServer.received(by: transport) { start($0).add(query: "tag", value: "c").build() }
        #expect(added.target == "/items?tag=a&tag=b&q=1&tag=c")
        let replaced = try await LoopbackServer.received(by: transport) {
            start($0).set(query: "tag", value: "c").build()
        }
        #expect(replaced.target == "/items?q=1&tag=c")
        let removed = try await LoopbackServer.received(by: transport) {
            start($0).set(query: "tag", value: nil).build()
        }
        #expect(removed.target == "/items?q=1")
    }

    @Test(.spec(10), arguments: TransportUnderTest.all)
    func queryValuesOfManyTypesAreSent(transport: TransportUnderTest) async throws {
        let none: Int? = nil
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.get(url: $0)
                .add(query: "page", value: 2).add(query: "on", value: true).add(query: "off", value: false)
                .add(query: "none", value: none).add(query: "price", value: 1.5).build()
        }
        #expect(request.target == "/items?page=2&on=true&off=false&price=1.5")
    }

    @Test(
        .spec(10),
        arguments: TransportUnderTest.all,
        [
            (FormStyle.ArrayStyle.repeated, "/items?tag=a%2Cb&tag=c"),
            (.brackets, "/items?tag%5B%5D=a%2Cb&tag%5B%5D=c"),
            (.indices, "/items?tag%5B0%5D=a%2Cb&tag%5B1%5D=c"), (.comma, "/items?tag=a%2Cb,c"),
        ]
    )
    func queryArraysAreSentInTheirStyle(
        transport: TransportUnderTest,
        example: (style: FormStyle.ArrayStyle, target: String)
    ) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.get(url: $0).add(query: "tag", value: ["a,b", "c"], arrays: example.style).build()
        }
        #expect(request.target == example.target)
    }

    @Test(.spec(47), arguments: TransportUnderTest.all)
    func aBodyAndAQueryAreSent(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).bodyJson(of: ["a": 1]).add(query: "grant_type", value: "x").build()
        }
        #expect(request.method == "POST")
        #expect(request.target == "/items?grant_type=x")
        #expect(request.bodyText == #"{"a":1}"#)
    }

    @Test(.spec(37, 38, 39, 40, 41), arguments: TransportUnderTest.all)
    func aFormOfAnyValuesIsSent(transport: TransportUnderTest) async throws {
        let nothing: [String] = []
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0)
                .bodyForm(params: [
                    "page": 1, "name": "hello world", "a&b=c": ["x y"], "z": nothing, "n": ["k": true],
                    "o": Optional(3) as Any,
                ])
                .build()
        }
        #expect(request.bodyText == "a%26b%3Dc%5B%5D=x+y&n%5Bk%5D=true&name=hello+world&o=3&page=1")
        #expect(request.headers.values(for: "Content-Type") == ["application/x-www-form-urlencoded"])
    }
}
