@testable import NetworkUtilities

struct RequestBuilderTests {
    private let items = url("https://api.example.com/items")

    @Test(.spec(1, 21, 30)) func aGETRequestIsBuiltWithoutTry() {
        let request = URLRequest.build().get(url: items).add(query: "page", value: "1")
            .set(header: .accept(type: .json)).build()
        expect(request.httpMethod, "GET")
        expect(request.address, "https://api.example.com/items?page=1")
        expect(request.fields, ["Accept": "application/json"])
        expect(request.httpBody, nil)
        expect(request.timeoutInterval, URLRequest(url: items).timeoutInterval)
        expect(request.cachePolicy, .useProtocolCachePolicy)
    }

    @Test(.spec(12, 13)) func aBuilderCanBeForkedAtEveryStage() {
        let builder = URLRequest.builder()
        let (one, other) = (builder.get(url: url("https://h/1")), builder.delete(url: url("https://h/2")))
        expect([one, other, one].map { $0.build().address }, ["https://h/1", "https://h/2", "https://h/1"])
        expect([one, other, one].map { $0.build().httpMethod }, ["GET", "DELETE", "GET"])
        let start = URLRequest.get(url: items).add(query: "z", value: "0")
        let forks = [start.add(query: "a", value: "1"), start.add(query: "b", value: "2"), start]
        let header = start.set(header: .language(value: "el"))
        expect(forks.map { $0.build().query }, ["z=0&a=1", "z=0&b=2", "z=0"])
        expect(start.build().fields, [:])
        expect(header.build().fields, ["Accept-Language": "el"])
    }

    @Test(.spec(14)) func buildingTwiceGivesEqualRequestsAndStreams() throws {
        let builder = try URLRequest.post(url: items)
            .bodyJson(of: ["b": 1, "a": 2]).add(query: "x", value: "1").set(header: .language(value: "el"))
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "content")
        let form = try URLRequest.post(url: items).bodyMultipart { try $0.add(key: "f", file: .init(file: file)) }
        for (one, other) in [(builder.build(), builder.build()), (form.build(), form.build())] {
            expect(one.url, other.url)
            expect(one.fields, other.fields)
            expect(one.httpBody, other.httpBody)
        }
        expect(builder.build().bodyText, #"{"a":2,"b":1}"#)
        let streams = try (0..<2).map { _ in try #require(form.build().httpBodyStream as? BodyInputStream) }
        #expect(streams[0] !== streams[1])
        expect(try streams[0].source.bytes(), try streams[1].source.bytes())
        #expect(try streams[0].source.bytes().count > 7)
    }

    @Test func aBuilderUsesTheEncodersOfItsOptions() throws {
        struct Fixed: JSONDataEncoder, FormDataEncoder {
            func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("json".utf8) }
            func encode(_ params: Params) throws -> Data { Data("form".utf8) }
            func encode<Value: Encodable>(of value: Value) throws -> Data { Data("form of".utf8) }
        }
        expect(try URLRequest.builder(with: nil).post(url: items).bodyJson(of: 1).build().httpBody, Data("1".utf8))
        let options = URLRequestBuilderOptions(encoder: Fixed(), formEncoder: Fixed())
        for stage in [
            URLRequest.builder(with: options).post(url: items), URLRequest.builder(options: options).post(url: items),
            try URLRequest.builder(baseURL: items, options: options).post(path: "/a"),
        ] {
            let requests = [
                try stage.bodyJson(of: 1), try stage.bodyForm(params: [:]), try stage.bodyFormUtf8(params: [:]),
                try stage.bodyForm(of: 1),
            ]
            expect(requests.map { $0.build().bodyText }, ["json", "form", "form", "form of"])
        }
    }

    @Test(.spec(278)) func aFormEncoderThatEncodesParametersAlsoEncodesValues() throws {
        struct Reversed: FormDataEncoder {
            func encode(_ params: Params) throws -> Data {
                Data(params.keys.sorted(by: >).map { "\($0)=\(params[$0] ?? "")" }.joined(separator: "&").utf8)
            }
        }
        struct Login: Encodable { let user = "a", age = 3, note: String? = nil }
        let stage = URLRequest.builder(with: URLRequestBuilderOptions(formEncoder: Reversed())).post(url: items)
        expect(try stage.bodyForm(of: Login()).build().bodyText, "user=a&age=3")
        #expect(throws: BodyEncodingError.self) { try stage.bodyForm(of: [1]) }
    }

    @Test func aQueryBuilderIsAlsoAHeaderAndAResultBuilder() {
        func finish(_ builder: URLRequest.ResultBuilder) -> URLRequest { builder.build() }
        func authorise(_ builder: URLRequest.HeaderBuilder) -> URLRequest.HeaderBuilder {
            builder.set(header: .authorisation(auth: "t"))
        }
        let stage: URLRequest.QueryBuilder = URLRequest.get(url: items)
        expect(finish(stage).url, items)
        expect(finish(authorise(stage)).fields, ["Authorization": "t"])
        let body: URLRequest.BodyBuilder = URLRequest.builder().post(url: items)
        expect(finish(body.noBody()).httpMethod, "POST")
    }

    @Test(.spec(21)) func timeoutAndCachePolicyCanBeSetAtEveryStage() throws {
        let policy = URLRequest.CachePolicy.reloadIgnoringLocalCacheData
        let requests = [
            URLRequest.build().idleTimeout(2.5).cachePolicy(policy).get(url: items).build(),
            try URLRequest.builder(baseURL: items).idleTimeout(2.5).cachePolicy(policy).get(path: "/a").build(),
            URLRequest.post(url: items).idleTimeout(2.5).cachePolicy(policy).noBody().build(),
            URLRequest.get(url: items).idleTimeout(2.5).cachePolicy(policy).add(query: "a", value: "1").build(),
            URLRequest.get(url: items).set(header: .accept(type: .json)).idleTimeout(2.5).cachePolicy(policy).build(),
        ]
        expect(requests.map(\.timeoutInterval), requests.map { _ in 2.5 })
        expect(requests.map(\.cachePolicy), requests.map { _ in policy })
    }

    @Test(arguments: [
        (TimeInterval.infinity, 31_536_000), (.greatestFiniteMagnitude, 31_536_000), (1e9, 31_536_000), (0, 0), (-1, 0),
        (-.infinity, 0), (.nan, 0), (.leastNonzeroMagnitude, .leastNonzeroMagnitude), (60, TimeInterval(60).nextUp),
    ])
    func aTimeoutStaysWithinTheRangeOfFoundation(seconds: TimeInterval, kept: TimeInterval) {
        expect(URLRequest.get(url: items).idleTimeout(seconds).build().timeoutInterval, kept)
    }
}
