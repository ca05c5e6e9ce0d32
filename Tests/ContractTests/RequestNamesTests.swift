import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

/// Every name of NetworkUtilities that users rely on, used as they use it.
struct RequestNamesTests {
    private let place = URL(fileURLWithPath: "/").absoluteURL

    private struct Fixed: JSONDataEncoder, FormDataEncoder {
        func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("json".utf8) }
        func encode(_ params: Params) throws -> Data { Data("form".utf8) }
        func encode<Value: Encodable>(of value: Value) throws -> Data { Data("form".utf8) }
    }

    @Test func builders() throws {
        let options = URLRequestBuilderOptions(encoder: DefaultJsonEncoder(), formEncoder: DefaultFormEncoder())
        let own = URLRequestBuilderOptions(encoder: Fixed(), formEncoder: Fixed())
        let builders: [URLRequest.Builder] = [
            URLRequest.build(), URLRequest.builder(), URLRequest.builder(with: options),
            URLRequest.builder(options: own),
        ]
        let queries: [URLRequest.QueryBuilder] = builders.flatMap { [$0.get(url: place), $0.delete(url: place)] }
        let bodies: [URLRequest.BodyBuilder] = builders.flatMap {
            [$0.post(url: place), $0.put(url: place), $0.patch(url: place)]
        }
        expectAll((queries.count, bodies.count), (8, 12))
        let methods = [
            URLRequest.get(url: place).build(), URLRequest.delete(url: place).build(),
            URLRequest.post(url: place).noBody().build(), URLRequest.put(url: place).noBody().build(),
            URLRequest.patch(url: place).noBody().build(),
        ]
        expect(methods.map(\.method), [.get, .delete, .post, .put, .patch])
        let header: URLRequest.HeaderBuilder = queries[0]
        let result: URLRequest.ResultBuilder = header.set(header: .accept(type: .json))
        expect(result.build().value(forHTTPHeaderField: "Accept"), "application/json")
    }

    private enum Section: String, URLTextConvertible { case photos }

    @Test func paths() throws {
        let api: URLRequest.PathBuilder = URLRequest.builder(baseURL: place, options: URLRequestBuilderOptions())
        let path: RequestPath = "/users/\(42)/\(Section.photos)/\(segments: ["a", "b"])/\(encoded: "c%20d")"
        expect(try api.get(path: path).build().url?.path, "/users/42/photos/a/b/c d")
        let template = try URITemplate("/users{/id}{?page}")
        let paths: [RequestPath] = [
            try .template(template, variables: ["id": 1]),
            try .template("/users{/id}", variables: ["id": 1, "b": "c"]),
        ]
        expect(try paths.map { try api.delete(path: $0).build().url?.path }, ["/users/1", "/users/1"])
        expect(try template.expand(["id": 2, "page": "3"]), "/users/2?page=3")
        expect(template.variableNames, ["id", "page"])
        #expect(throws: RequestPathError.emptyPath) { try api.get(path: "") }
        let error = RequestPathError.dotSegment(RequestPathError.Place(value: "{1}", path: "/a/{1}"))
        #expect(throws: error) { try api.method(.delete, path: "/a/\("..")") }
        let request = URLRequest.get(url: place).idleTimeout(5).cachePolicy(.reloadIgnoringLocalCacheData).build()
        expect(request.timeoutInterval, 5)
    }

    @Test func bodies() throws {
        let params: Params = ["page": 1, "name": "viktor"]
        let stage = URLRequest.post(url: place)
        expect(try stage.bodyForm(params: params).build().httpBody, Data("name=viktor&page=1".utf8))
        expect(try stage.bodyFormUtf8(params: params).build().httpBody, Data("name=viktor&page=1".utf8))
        #expect(throws: BodyEncodingError.self) { try stage.bodyForm(params: ["a": Data()]) }
        let form = stage.bodyMultipart { builder in builder.add(key: "k", value: "v") }.build()
        expect(form.httpBody?.isEmpty, false)
        let part = MultipartFormFilePart(file: place, filename: "f", mimeType: .auto(withFallback: "x/y"))
        expect(part.filename, "f")
        #expect(MultipartFormFilePart.MimeType.type(mimeType: "a/b") != .auto())
        let missing = MultipartFormFilePart.Error.invalidLocalFile(url: place)
        #expect(throws: missing) {
            try stage.bodyMultipart { try $0.add(key: "f", file: .init(file: place, mimeType: .auto())) }
        }
    }

    @Test func queriesAndHeaders() {
        let fields: [URLRequest.HeaderType] = [
            .authorisation(auth: "t"), .accept(type: .json), .content(type: .url(useUTF8Charset: true)),
            .language(value: "el"), .custom(name: "X-A", value: "1"),
            .content(type: .multipart(withBoundary: "b")),
        ]
        let request = URLRequest.get(url: place)
            .add(query: "a", value: "1").add(query: "n", value: nil)
            .add(queryItems: ["b": "2"]).add(queryItems: [URLQueryItem(name: "c", value: "3")])
            .add(header: fields[0]).set(header: fields[1]).add(headers: [fields[3]]).set(headers: [
                fields[4], fields[5],
            ])
            .build()
        expect(request.url?.queryParameters, ["a": "1", "b": "2", "c": "3"])
        expect(request.allHTTPHeaderFields?.count, 5)
        let types: [URLRequest.ContentType] = [.json, .url(), .multipart(withBoundary: "b")]
        expect(types.map(\.value).first, "application/json")
    }

    @Test func requests() {
        var request = URLRequest(url: place)
        let method: URLRequest.HTTPMethod? = request.method
        expect(method, .get)
        request.method = .patch
        request.set(header: .custom(name: "X-A", value: "1"))
        request.add(header: .custom(name: "X-A", value: "2"))
        let copy = request.setting(header: .language(value: "el")).adding(header: .language(value: "en"))
        expect(copy.allHTTPHeaderFields, ["X-A": "1,2", "Accept-Language": "el,en"])
        expect(copy.httpMethod, "PATCH")
    }

    private struct Filter: Encodable {
        let minimum = 9.5
        let isNew = true
    }

    private struct Account: URLTextConvertible {
        var urlText: String { "acct" }
    }

    @Test func queriesOfAnyType() throws {
        let style = FormStyle(
            arrays: .indices,
            nesting: .dots,
            booleans: .numeric,
            dates: .secondsSince1970,
            keys: .snakeCase
        )
        let request = try URLRequest.get(url: place)
            .add(query: "a", value: 2).add(query: "b", value: true).add(query: "c", value: Account())
            .add(query: "d", value: [1, 2], arrays: .comma).add(query: "e", value: Section.photos)
            .add(query: "f", value: 1.5).add(query: "g", value: Date(timeIntervalSince1970: 1), style: style)
            .add(queryItems: Filter(), style: style).set(queryItems: ["a": "3"])
            .build()
        expect(request.url?.query, "b=true&c=acct&d=1,2&e=photos&f=1.5&g=1&minimum=9.5&is_new=1&a=3")
        expect(request.url?.queryItems.count, 9)
        #expect(throws: QueryEncodingError.self) { try URLRequest.get(url: place).add(query: "a", value: Double.nan) }
        let options = URLRequestBuilderOptions(formEncoder: DefaultFormEncoder(style: style))
        let form = try URLRequest.builder(options: options).post(url: place).bodyForm(of: Filter()).build()
        expect(form.httpBody, Data("minimum=9.5&is_new=1".utf8))
    }

    @Test func typedFields() throws {
        let tag = try EntityTag(parsing: "\"v1\"")
        let request = try URLRequest.get(url: place)
            .headers {
                HeaderField.accept(types: [.json, .any.weighted(0.1)])
                HeaderField.languages(["el", "en"])
                try HeaderField.range(bytes: 500...)
                HeaderField.ifNoneMatch([tag])
                HeaderField.authorization(optional: nil)
                HeaderField.userAgent(product: "App", version: "1")
            }
            .build()
        expect(request.allHTTPHeaderFields?.count, 5)
        expect(request.setting(headers: []).adding(headers: []), request)
        let type = try MediaType(parsing: "text/html; charset=utf-8")
        expect(
            [type.type, type.subtype, type.essence, type.parameter("charset")],
            [
                "text", "html", "text/html", "utf-8",
            ]
        )
        #expect(type.matches(.html) && !type.matches(.xml))
        expect(HTTPStatus.notFound.description, "404 Not Found")
        expect(HTTPStatus(rawValue: 599).kind, .serverError)
    }
}
