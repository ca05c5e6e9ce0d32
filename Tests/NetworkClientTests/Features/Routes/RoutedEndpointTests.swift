import Foundation
import NetworkClient
import NetworkTestSupport
import NetworkUtilities
import Testing

struct RoutedEndpointTests {
    private let base = URLRequest.builder(baseURL: url("https://api.example.com/v1"))

    private func target(_ endpoint: some RoutedEndpoint) throws -> String {
        let request = try endpoint.request(from: base)
        let text = request.url?.absoluteString ?? ""
        #expect(text.hasPrefix("https://api.example.com/v1"))
        return "\(request.httpMethod ?? "") \(text.dropFirst("https://api.example.com/v1".count))"
    }

    @Test(.spec(141)) func pathPropertiesTakeThePlacesOfTheirNames() throws {
        expect(try target(GetPost(id: "123", postId: 456)), "GET /users/123/posts/456")
        expect(try target(GetFile(name: "x")), "GET /x.json")
        expect(try target(Between(from: 1, upTo: 2, kind: .all)), "GET /items/1-2:batch/:all?kind=all")
    }

    @Test(
        .spec(19, 141),
        arguments: [
            ("a/b", "a%2Fb"), ("a?b", "a%3Fb"), ("50%", "50%25"), ("é", "%C3%A9"), (":x", ":x"), (":postId", ":postId"),
            ("../../admin", "..%2F..%2Fadmin"), ("{postId}", "%7BpostId%7D"), ("a#b&c", "a%23b%26c"),
        ]
    )
    func aPathValueStaysOneSegment(value: String, segment: String) throws {
        expect(try target(GetPost(id: value, postId: 1)), "GET /users/\(segment)/posts/1")
    }

    @Test(.spec(19, 141), arguments: ["", ".", ".."])
    func aPathValueThatWouldChangeTheResourceIsAnErrorThatNamesItsPlace(value: String) throws {
        let error = #expect(throws: RequestPathError.self) { try target(GetPost(id: value, postId: 1)) }
        let text = try #require(error).description
        expect(text, contains: "The path '/users/:id/posts/:postId' cannot be used: the value :id ")
    }

    @Test(.spec(141)) func anArrayIsSeveralSegmentsAndAnEnumItsRawValue() throws {
        let file = Contents(section: .docs, path: ["a b", "x/y.md"], version: 2)
        expect(try target(file), "GET /repos/docs/contents/2/a%20b/x%2Fy.md")
        for path in [[], [""], ["a", ".."]] {
            let error = #expect(throws: RequestPathError.self) {
                try target(Contents(section: .docs, path: path, version: 2))
            }
            expect(try #require(error).description, contains: "the value :path ")
        }
        let error = #expect(throws: RouteError.self) { try target(Tagged(tags: ["a", "b"])) }
        expect(error?.reason, "is an array, which has no segments behind the path: mark it @Query")
        expect(try target(Tagged(tags: ["a/b"])), "GET /files?tag=a/b")
    }

    @Test(.spec(142)) func queryPropertiesAreSentInTheOrderOfTheirDeclarations() throws {
        expect(try target(Search(query: "swift", page: 1, limit: 20)), "GET /search?query=swift&page=1&limit=20")
    }

    @Test(.spec(142)) func aQueryPropertyCanHaveAnotherNameAndBeLeftOut() throws {
        expect(try target(NamedSearch(query: "a b&c", lang: nil)), "GET /search?q=a%20b%26c")
        let since = Date(timeIntervalSince1970: 1)
        let tags = NamedSearch(query: "x", lang: "el", tags: ["b", "a"], since: since, all: true)
        expect(try target(tags), "GET /search?q=x&l=el&tag=b&tag=a&since=1&all=1&sort=newest")
    }

    @Test(.spec(142)) func moreQueryItemsFollowTheProperties() throws {
        expect(try target(Blocks(page: 2, isVerbose: true)), "GET /posts?page=2&author=john&limit=10&flag")
        expect(try target(Blocks(page: 2, isVerbose: false)), "GET /posts?page=2&limit=10&flag")
    }

    @Test(.spec(28, 148)) func headerPropertiesAndTheBlockBecomeFields() throws {
        var endpoint = Fields(accept: .json, traceID: "t", since: Date(timeIntervalSince1970: 784_111_777))
        endpoint.languages = ["el", "en"]
        let fields = try endpoint.request(from: base).allHTTPHeaderFields
        expect(
            fields,
            [
                "Accept": "application/json", "X-Trace": "t", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
                "Accept-Language": "el, en", "Authorization": "Bearer your-token", "Client-Version": "2.0",
            ]
        )
        endpoint.traceID = "a\r\nEvil: 1"
        #expect(throws: HeaderFieldError.invalidValue(name: "X-Trace")) { try endpoint.request(from: base) }
    }

    @Test(.spec(28, 148)) func arraysOfTypedHeaderValuesAreOneField() throws {
        struct Conditions: RoutedEndpoint {
            static let route: Route = .get("/a")
            @Header var accept: [MediaType]
            @Header var ifNoneMatch: [EntityTag]?
        }
        let tags = [try EntityTag("a"), try EntityTag("b")]
        let fields = try Conditions(accept: [.json, .xml], ifNoneMatch: tags).request(from: base).allHTTPHeaderFields
        expect(fields, ["Accept": "application/json, application/xml", "If-None-Match": #""a", "b""#])
    }

    @Test func noSecretIsInTheTextOfAnEndpoint() {
        struct Whole: RoutedEndpoint {
            typealias Response = EmptyResponse
            static let route = Route.post("/a/:id")
            @Path @Named("id") var id: String
            @Query var pin: String?
            @Header var authorization: String
            @Body var body: [String: String]
        }
        let whole = Whole(id: "secret", pin: "secret", authorization: "secret", body: ["a": "secret"])
        var text = ""
        dump(whole, to: &text)
        expect("\(whole)\(String(reflecting: whole))\(text)", lacks: "secret")
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "QUERY"])
    func everyMethodHasARoute(method: String) throws {
        let routes: [Route] = [
            .get("/a"), .post("/a"), .put("/a"), .patch("/a"), .delete("/a"), .head("/a"), .options("/a"), .trace("/a"),
            .connect("/a"), Route(.query, "/a"),
        ]
        let route = try #require(routes.first { $0.method.rawValue == method })
        expect(route, Route(try HTTPMethod(method), "/a"))
        expect(route.template, "/a")
    }

    @Test func theStepsOfTheBuilderReachTheRequestOfAnEndpointWithItsOwnMethod() throws {
        let request = try Fresh().request(from: base)
        expect(request.cachePolicy, .reloadIgnoringLocalCacheData)
        expect(request.url?.absoluteString, "https://api.example.com/v1/fresh")
    }

    @Test(.spec(181)) func theQueryOfTheBaseURLComesFirst() throws {
        let base = URLRequest.builder(baseURL: url("https://h/v1?key=k"))
        let request = try Search(query: "x", page: 1, limit: 2).request(from: base)
        expect(request.url?.absoluteString, "https://h/v1/search?key=k&query=x&page=1&limit=2")
    }
}

// MARK: - Endpoints

private struct GetPost: RoutedEndpoint {
    static let route: Route = .get("/users/:id/posts/:postId")
    @Path var id: String
    @Path var postId: Int
}

private struct GetFile: RoutedEndpoint {
    static let route: Route = .get("/:name.json")
    @Path var name: String
}

private struct Between: RoutedEndpoint {
    enum Kind: String, URLTextConvertible { case all }
    static let route: Route = .get("/items/{from}-{to}:batch/::{kind}?kind={kind}")
    @Path var from: Int
    @Path @Named("to") var upTo: Int
    @Path var kind: Kind
}

private struct Contents: RoutedEndpoint {
    enum Section: String, URLTextConvertible { case docs }
    enum Version: Int, URLTextConvertible { case first = 1, second }
    static let route: Route = .get("/repos/:section/contents/{number}/:path")
    @Path var section: Section
    @Path var path: [String]
    @Path @Named("number") var version: Version

    init(section: Section, path: [String], version: Int) {
        self.section = section
        self.path = path
        self.version = version == 1 ? .first : .second
    }
}

private struct Tagged: RoutedEndpoint {
    static let route: Route = .get("/files?tag={tags}")
    @Path var tags: [String]
}

private struct Search: RoutedEndpoint {
    static let route: Route = .get("/search")
    @Query var query: String
    @Query var page: Int
    @Query var limit: Int
}

private struct NamedSearch: RoutedEndpoint {
    enum Sort: String, Sendable { case newest }
    static let route: Route = .get("search")
    static var queryStyle: FormStyle { FormStyle(arrays: .repeated, booleans: .numeric, dates: .secondsSince1970) }
    @Query @Named("q") var query: String
    @Query("l") var lang: String? = "en"
    @Query("tag") var tags: [String] = []
    @Query var since: Date?
    @Query var all: Bool?
    @Query var sort: Sort?

    init(query: String, lang: String?, tags: [String] = [], since: Date? = nil, all: Bool? = nil) {
        self.query = query
        self.lang = lang
        self.tags = tags
        self.since = since
        self.all = all
        sort = all == nil ? nil : .newest
    }
}

private struct Blocks: RoutedEndpoint {
    static let route: Route = .get("/posts")
    @Query var page: Int
    let isVerbose: Bool

    var queryItems: [QueryItem] {
        if isVerbose { QueryItem("author", value: "john") }
        QueryItem("limit", value: 10)
        URLQueryItem(name: "flag", value: nil)
    }
}

private struct Fields: RoutedEndpoint {
    static let route: Route = .get("/me")
    @Header var accept: MediaType
    @Header @Named("X-Trace") var traceID: String
    @Header("If-Modified-Since") var since: Date? = nil
    @Header("Accept-Language") var languages: [String] = []
    @Header var userAgent: String? = nil

    var headers: [HeaderField] {
        ["Authorization": "Bearer your-token", "X-None": nil]
        HeaderField.custom(name: "Client-Version", value: "2.0")
    }
}

private struct Fresh: RoutedEndpoint {
    static let route: Route = .get("/fresh")

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try routedRequest(from: builder.cachePolicy(.reloadIgnoringLocalCacheData))
    }
}
