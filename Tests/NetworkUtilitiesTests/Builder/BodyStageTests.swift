import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct BodyStageTests {
    private struct Payload: Encodable {
        let name: String
    }

    private let create = url("https://api.example.com/create")

    @Test(.spec(34)) func encodesJSON() throws {
        let request = try URLRequest.build().post(url: create).bodyJson(of: Payload(name: "Alice")).build()
        #expect(request.httpBody == Data(#"{"name":"Alice"}"#.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test(.spec(37)) func encodesForms() throws {
        let stage = URLRequest.post(url: create)
        let form = try stage.bodyForm(params: ["page": 1, "name": "viktor"]).build()
        #expect(form.httpBody == Data("name=viktor&page=1".utf8))
        #expect(form.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        let marked = try stage.bodyFormUtf8(params: ["page": 1, "name": "viktor"]).build()
        #expect(marked.httpBody == Data("name=viktor&page=1".utf8))
        #expect(
            marked.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded; charset=utf-8"
        )
        #expect(try stage.bodyForm(of: Payload(name: "a b")).build().httpBody == Data("name=a+b".utf8))
    }

    @Test(.spec(37, 38)) func aFormOfQueryItemsKeepsTheirOrderAndRepeatedNames() throws {
        let items = [("b", "hello world"), ("a", "1"), ("b", "x&y=z"), ("é", ""), ("flag", nil)]
            .map { URLQueryItem(name: $0, value: $1) }
        let request = URLRequest.post(url: url("https://h")).bodyForm(items: items).build()
        #expect(request.httpBody == Data("b=hello+world&a=1&b=x%26y%3Dz&%C3%A9=&flag=".utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(URLRequest.post(url: url("https://h")).bodyForm(items: []).build().httpBody == Data())
    }

    @Test(.spec(16)) func sendsNothingWithoutABody() {
        let request = URLRequest.post(url: create).noBody().add(query: "param", value: "value").build()
        #expect(request.url?.query == "param=value")
        #expect(request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test(.spec(56, 60)) func putsTheBoundaryOfTheBodyInTheHeader() throws {
        let request = URLRequest.post(url: create)
            .bodyMultipart(boundary: try MultipartBoundary("B")) { $0.add(key: "description", value: "My file") }
            .build()
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=B")
        let body = "--B\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\nMy file\r\n--B--\r\n"
        #expect(request.httpBody == Data(body.utf8))
    }

    @Test(.spec(56, 60)) func choosesABoundaryForEachForm() throws {
        let stage = URLRequest.post(url: create)
        let boundaries = try (0..<100).map { _ in
            let request = stage.bodyMultipart { $0.add(key: "k", value: "v") }.build()
            let type = try #require(request.value(forHTTPHeaderField: "Content-Type"))
            let boundary = try #require(MediaType(type).parameter("boundary"))
            let body = try #require(request.httpBody)
            #expect(String(decoding: body, as: UTF8.self).hasPrefix("--\(boundary)\r\n"))
            #expect(String(decoding: body, as: UTF8.self).hasSuffix("\r\n--\(boundary)--\r\n"))
            return boundary
        }
        #expect(Set(boundaries).count == 100)
    }

    @Test(.spec(29)) func keepsTheContentTypeThatAHeaderStepSets() throws {
        let patch = URLRequest.patch(url: create)
        let type = MediaType("application/merge-patch+json")
        for request in [
            try patch.bodyJson(of: [1]).set(header: .content(type: type)).build(),
            try patch.bodyJson(of: [1]).add(header: .content(type: type)).build(),
            try patch.bodyJson(of: [1]).set(header: .custom(name: "content-TYPE", value: type.value)).build(),
        ] {
            #expect(request.value(forHTTPHeaderField: "Content-Type") == type.value)
            #expect(request.allHTTPHeaderFields?.count == 1)
        }
    }

    @Test func leavesTheContentTypeOutWhenItIsRemoved() throws {
        let request = try URLRequest.post(url: create).bodyJson(of: [1])
            .set(header: .custom(name: "Content-Type", value: nil)).build()
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test func passesOnWhatTheClosureThrows() {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try URLRequest.post(url: create).bodyMultipart { _ in throw Stop() }
        }
    }

    @Test(.spec(36)) func namesThePathOfAValueWithoutJSONForm() {
        let error = BodyEncodingError.json(path: "prices[1]", reason: "is a number that is not finite")
        #expect(throws: error) {
            try URLRequest.post(url: create).bodyJson(of: ["prices": [1, Double.infinity]])
        }
    }

    @Test(.spec(47)) func combinesABodyWithAQuery() throws {
        let request = try URLRequest.post(url: create).bodyJson(of: [1]).add(query: "grant_type", value: "x").build()
        #expect(request.url?.query == "grant_type=x")
        #expect(request.httpBody == Data("[1]".utf8))
    }
}
