import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The header fields that a server receives.
struct HeadersOnTheWireTests {
    @Test(arguments: TransportUnderTest.all)
    func typedFieldsAreSent(transport: TransportUnderTest) async throws {
        let date = Date(timeIntervalSince1970: 784_111_777)
        let request = try await LoopbackServer.received(by: transport) { url in
            try URLRequest.get(url: url).headers {
                HeaderField.accept(types: [.json, .xml.weighted(0.8)])
                HeaderField.languages(["el-GR", "en", "*"])
                try HeaderField.range(bytes: 0...499)
                HeaderField.ifNoneMatch([try EntityTag("a"), try EntityTag("b", isWeak: true)])
                HeaderField.ifModifiedSince(date)
                HeaderField.userAgent(product: "My App", version: "1.2", comment: "Linux (é)")
                HeaderField.idempotencyKey("8e03")
                HeaderField.cacheControl(value: "no-cache")
            }.build()
        }
        let expected = [
            "Accept": "application/json, application/xml;q=0.8",
            "Accept-Language": "el-GR, en;q=0.9, *;q=0.8",
            "Range": "bytes=0-499",
            "If-None-Match": "\"a\", W/\"b\"",
            "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT",
            "Idempotency-Key": "8e03",
            "Cache-Control": "no-cache",
        ]
        for (name, value) in expected {
            #expect(request.headers.values(for: name) == [value])
        }
        let product = try #require(request.headers.values(for: "User-Agent").first)
        #expect(product.hasPrefix("My-App/1.2 (Linux \\(") && product.hasSuffix("\\))"))
    }

    @Test(.spec(27, 28), arguments: TransportUnderTest.all, [true, false])
    func aBlockOfFieldsIsSent(transport: TransportUnderTest, isOn: Bool) async throws {
        let missing: HeaderField? = nil
        let request = try await LoopbackServer.received(by: transport) { url in
            try URLRequest.post(url: url).bodyJson(of: [1]).headers {
                if isOn { HeaderField.custom(name: "X-On", value: "1") }
                for tag in ["v1", "v2"] { HeaderField.custom(name: "X-Tag", value: tag) }
                missing
                HeaderField.custom(name: "X-None", value: nil)
            }.build()
        }
        #expect(request.headers.values(for: "X-On") == (isOn ? ["1"] : []))
        #expect(request.headers.values(for: "X-Tag") == ["v1,v2"])
        #expect(!request.headText.lowercased().contains("x-none"))
        #expect(request.headers.values(for: "Content-Type") == ["application/json"])
    }

    @Test(.spec(27), arguments: TransportUnderTest.all)
    func aFieldWithoutAValueIsOmitted(transport: TransportUnderTest) async throws {
        let fields: [HeaderField] = [
            .custom(name: "X-None", value: nil), .custom(name: "X-B", value: "b"), .accept(types: []),
            .languages(["é"]),
        ]
        for isSet in [true, false] {
            let request = try await LoopbackServer.received(by: transport) { url in
                let start = URLRequest.get(url: url)
                return (isSet ? start.set(headers: fields) : start.add(headers: fields)).build()
            }
            #expect(request.headers.values(for: "X-B") == ["b"])
            #expect(!request.headText.lowercased().contains("x-none"))
        }
    }

    @Test(.spec(32), arguments: TransportUnderTest.all)
    func aMissingRequiredCredentialSendsNothing(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer { _ in .respond() }
        await #expect(throws: HeaderFieldError.missingCredential) {
            let request = URLRequest.get(url: server.url).set(header: try .authorisation(required: nil)).build()
            try await client.fetch(request: request)
        }
        #expect(server.connectionCount == 0)
    }

    @Test(.spec(32), arguments: TransportUnderTest.all)
    func aMissingOptionalCredentialSendsTheRequestWithoutIt(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.get(url: $0).set(header: .authorisation(optional: nil)).build()
        }
        #expect(request.method == "GET")
        #expect(!request.headText.lowercased().contains("authorization"))
    }

    @Test(.spec(32), arguments: TransportUnderTest.all)
    func aCredentialIsSent(transport: TransportUnderTest) async throws {
        for isRequired in [true, false] {
            let request = try await LoopbackServer.received(by: transport) { url in
                let credential: Credential? = .bearer("t")
                let field =
                    isRequired
                    ? try HeaderField.authorisation(required: credential) : .authorisation(optional: credential)
                return URLRequest.get(url: url).set(header: field).build()
            }
            #expect(request.headers.values(for: "Authorization") == ["Bearer t"])
        }
    }

    @Test(
        .spec(33),
        arguments: TransportUnderTest.all,
        [
            (MediaType.url(useUTF8Charset: true), "application/x-www-form-urlencoded; charset=utf-8"),
            (.multipart(withBoundary: "b"), "multipart/form-data; boundary=b"),
        ]
    )
    func theContentTypeIsSent(transport: TransportUnderTest, field: (type: MediaType, value: String)) async throws {
        let request = try await LoopbackServer.received(by: transport) { url in
            URLRequest.post(url: url).noBody().set(header: .content(type: field.type)).build()
        }
        #expect(request.headers.values(for: "Content-Type") == [field.value])
    }
}
