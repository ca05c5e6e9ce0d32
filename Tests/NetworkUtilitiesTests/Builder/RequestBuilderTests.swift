import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct RequestBuilderTests {
    private let items = url("https://api.example.com/items")

    @Test(.spec(1)) func aRequestIsBuiltWithoutTry() {
        let request = URLRequest.build()
            .get(url: items)
            .add(query: "page", value: "1")
            .set(header: .accept(type: .json))
            .build()
        #expect(request.httpMethod == "GET")
        #expect(request.url?.absoluteString == "https://api.example.com/items?page=1")
        #expect(request.allHTTPHeaderFields == ["Accept": "application/json"])
        #expect(request.httpBody == nil)
    }

    @Test(.spec(12)) func aBuilderCanBeForkedAtEveryStage() {
        let start = URLRequest.get(url: items).add(query: "z", value: "0")
        let one = start.add(query: "a", value: "1")
        let other = start.add(query: "b", value: "2")
        #expect(one.build().url?.query == "z=0&a=1")
        #expect(other.build().url?.query == "z=0&b=2")
        #expect(start.build().url?.query == "z=0")
        let header = start.set(header: .language(value: "el"))
        #expect(start.build().allHTTPHeaderFields?.isEmpty != false)
        #expect(header.build().value(forHTTPHeaderField: "accept-language") == "el")
    }

    @Test(.spec(13)) func oneBuilderBeginsSeveralRequests() {
        let builder = URLRequest.builder()
        let one = builder.get(url: url("https://h/1"))
        let other = builder.delete(url: url("https://h/2"))
        #expect(one.build().url?.path == "/1")
        #expect(other.build().url?.path == "/2")
        #expect(one.build().httpMethod == "GET")
    }

    @Test(.spec(14)) func buildingTwiceGivesEqualRequests() throws {
        let builder = try URLRequest.post(url: items)
            .bodyJson(of: ["b": 1, "a": 2]).add(query: "x", value: "1").set(header: .language(value: "el"))
        let (one, other) = (builder.build(), builder.build())
        #expect(one.url == other.url)
        #expect(one.allHTTPHeaderFields == other.allHTTPHeaderFields)
        #expect(one.httpBody == other.httpBody)
        #expect(one.httpBody == Data(#"{"a":2,"b":1}"#.utf8))
    }

    @Test(.spec(14)) func buildingTwiceGivesEqualStreamedBodies() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "content")
        let builder = try URLRequest.post(url: items).bodyMultipart { try $0.add(key: "f", file: .init(file: file)) }
        let requests = [builder.build(), builder.build()]
        let streams = try requests.map { try #require($0.httpBodyStream as? BodyInputStream) }
        #expect(streams[0] !== streams[1])
        #expect(try streams[0].source.bytes() == streams[1].source.bytes())
        #expect(try streams[0].source.bytes().count > 7)
        #expect(requests[0].allHTTPHeaderFields == requests[1].allHTTPHeaderFields)
    }

    @Test func aBuilderUsesTheEncodersOfItsOptions() throws {
        struct Fixed: JSONDataEncoder, FormDataEncoder {
            func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("json".utf8) }
            func encode(_ params: Params) throws -> Data { Data("form".utf8) }
            func encode<Value: Encodable>(of value: Value) throws -> Data { Data("form of".utf8) }
        }
        let options = URLRequestBuilderOptions(encoder: Fixed(), formEncoder: Fixed())
        for builder in [URLRequest.builder(with: options), URLRequest.builder(options: options)] {
            let stage = builder.post(url: items)
            #expect(try stage.bodyJson(of: 1).build().httpBody == Data("json".utf8))
            #expect(try stage.bodyForm(params: [:]).build().httpBody == Data("form".utf8))
            #expect(try stage.bodyFormUtf8(params: [:]).build().httpBody == Data("form".utf8))
            #expect(try stage.bodyForm(of: 1).build().httpBody == Data("form of".utf8))
        }
    }

    @Test func aQueryBuilderIsAlsoAHeaderAndAResultBuilder() {
        func finish(_ builder: URLRequest.ResultBuilder) -> URLRequest { builder.build() }
        func authorise(_ builder: URLRequest.HeaderBuilder) -> URLRequest.HeaderBuilder {
            builder.set(header: .authorisation(auth: "t"))
        }
        let stage: URLRequest.QueryBuilder = URLRequest.get(url: items)
        #expect(finish(stage).url == items)
        #expect(finish(authorise(stage)).value(forHTTPHeaderField: "Authorization") == "t")
        let body: URLRequest.BodyBuilder = URLRequest.builder().post(url: items)
        #expect(finish(body.noBody()).httpMethod == "POST")
    }

    @Test(.spec(21)) func timeoutAndCachePolicyReachTheRequest() {
        let request = URLRequest.get(url: items).timeout(2.5).cachePolicy(.reloadIgnoringLocalCacheData).build()
        #expect(request.timeoutInterval == 2.5)
        #expect(request.cachePolicy == .reloadIgnoringLocalCacheData)
    }

    @Test(.spec(21)) func aRequestWithoutThoseStepsHasTheDefaultTimeoutAndCachePolicy() {
        let request = URLRequest.get(url: items).build()
        #expect(request.timeoutInterval == URLRequest(url: items).timeoutInterval)
        #expect(request.cachePolicy == .useProtocolCachePolicy)
    }

    @Test func aTimeoutCanBeSetAtEveryStage() throws {
        let requests = [
            URLRequest.build().timeout(7).get(url: items).build(),
            try URLRequest.builder(baseURL: items).timeout(7).get(path: "/a").build(),
            URLRequest.post(url: items).timeout(7).noBody().build(),
            URLRequest.get(url: items).timeout(7).add(query: "a", value: "1").build(),
            URLRequest.get(url: items).set(header: .accept(type: .json)).timeout(7).build(),
        ]
        #expect(requests.map(\.timeoutInterval) == Array(repeating: 7, count: requests.count))
    }

    @Test(arguments: [
        (TimeInterval.infinity, 31_536_000), (.greatestFiniteMagnitude, 31_536_000), (1e9, 31_536_000), (0, 0), (-1, 0),
        (-.infinity, 0), (.nan, 0), (.leastNonzeroMagnitude, .leastNonzeroMagnitude), (60, TimeInterval(60).nextUp),
    ])
    func aTimeoutStaysWithinTheRangeOfFoundation(seconds: TimeInterval, kept: TimeInterval) {
        #expect(URLRequest.get(url: items).timeout(seconds).build().timeoutInterval == kept)
    }
}
