import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct SharingKeyTests {
    private func key(
        _ text: String = "https://h/p?a=1",
        method: String = "GET",
        headers: [String: String] = [:],
        body: Data? = nil,
        hash: String? = nil,
        options: CallOptions = CallOptions()
    ) throws -> SharingKey {
        var request = URLRequest(url: url(text))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.httpBody = body
        let optIn = try #require(SharingOptIn(of: request.withInstanceCaching(customHash: hash)))
        let settings = CallSettings(.init(), options, decoder: .default, request: request)
        return try #require(SharingKey(of: request, sentAs: request, settings, optIn))
    }

    @Test func isEqualForIdenticalRequests() throws {
        let one = try key(headers: ["Accept": "a", "X-B": "1"], body: Data([1]), hash: "h")
        let other = try key(headers: ["x-b": "1", "ACCEPT": "a"], body: Data([1]), hash: "h")
        #expect(one == other)
    }

    @Test(.spec(118)) func ignoresTracing() throws {
        #expect(try key(headers: ["traceparent": "00-1", "X-B3-TraceId": "1", "X-Request-ID": "2"]) == key())
    }

    @Test(.spec(118), arguments: ["Authorization", "Accept", "Accept-Language", "Range", "Cookie", "X-Tenant"])
    func differsByAnyOtherHeader(name: String) throws {
        #expect(try key(headers: [name: "1"]) != key(headers: [name: "2"]))
        #expect(try key(headers: [name: "1"]) != key())
    }

    @Test(
        .spec(119, 120),
        arguments: [
            ("https://h/?a=1&a=2", "https://h/?a=2&a=1"), ("https://h/?a=1%26b%3D2", "https://h/?a=1&b=2"),
            ("https://u1@h/", "https://u2@h/"), ("https://h/a", "https://h/A"), ("https://h/", "http://h/"),
            ("https://h/%7e", "https://h/~"),
        ]
    )
    func differsByAnyByteOfTheURL(one: String, other: String) throws {
        #expect(try key(one, hash: "same") != key(other, hash: "same"))
    }

    @Test(.spec(118, 119, 120)) func differsByMethodBodyMarkAndLimits() throws {
        #expect(try key(method: "HEAD", hash: "same") != key(hash: "same"))
        #expect(try key(body: Data([1])) != key(body: Data([2])))
        #expect(try key(hash: "a") != key(hash: "b"))
        #expect(try key(hash: "a") != key())
        #expect(try key(options: CallOptions(bodyLimit: 1)) != key())
        #expect(try key(options: CallOptions(redirects: RedirectPolicy.none)) != key())
    }

    @Test(.spec(187)) func isEqualForCallsThatWaitForDifferentTimes() throws {
        #expect(try key(options: CallOptions(totalTimeout: 1)) == key(options: CallOptions(totalTimeout: 2)))
    }

    @Test(.spec(166)) func differsByTheCookiesThatAreSent() throws {
        func key(_ store: CookieStore, _ change: (inout URLRequest) -> Void = { _ in }) throws -> SharingKey {
            var request = URLRequest(url: url("https://h/p"))
            change(&request)
            let optIn = try #require(SharingOptIn(of: request.withInstanceCaching()))
            let settings = CallSettings(.init(), CallOptions(), decoder: .default, request: request)
            return try #require(SharingKey(of: request, sentAs: store.adding(to: request), settings, optIn))
        }
        let alice = CookieStore(cookies: [try Cookie(name: "sid", value: "alice", domain: "h")])
        let bob = CookieStore(cookies: [try Cookie(name: "sid", value: "bob", domain: "h")])
        let elsewhere = CookieStore(cookies: [try Cookie(name: "sid", value: "bob", domain: "other")])
        #expect(try key(alice) == key(alice))
        #expect(try key(alice) != key(bob))
        #expect(try key(alice) != key(CookieStore()))
        #expect(try key(elsewhere) == key(CookieStore()))
        #expect(try key(CookieStore()) != key(CookieStore()) { $0.httpShouldHandleCookies = false })
    }

    @Test(.spec(118)) func differsByWhatTheRequestAsksOfTheSession() throws {
        func key(_ change: (inout URLRequest) -> Void) throws -> SharingKey {
            var request = URLRequest(url: url("https://h")).withInstanceCaching()
            change(&request)
            let settings = CallSettings(.init(), CallOptions(), decoder: .default, request: request)
            let optIn = try #require(settings.sharing)
            request = request.clearingInstanceCaching()
            return try #require(SharingKey(of: request, sentAs: request, settings, optIn))
        }
        let plain = try key { _ in }
        #expect(try key { $0.cachePolicy = .reloadIgnoringLocalCacheData } != plain)
        #expect(try key { $0.httpShouldHandleCookies = false } != plain)
        #expect(try key { $0.allowsCellularAccess = false } != plain)
        #expect(try key { $0.timeoutInterval = 1 } != plain)
    }

    @Test(.spec(119)) func isNotMadeForAStream() throws {
        var request = URLRequest(url: url("https://h"))
        request.httpBodyStream = InputStream(data: Data([1]))
        let optIn = try #require(SharingOptIn(of: request.withInstanceCaching()))
        let settings = CallSettings(.init(), CallOptions(), decoder: .default, request: request)
        #expect(SharingKey(of: request, sentAs: request, settings, optIn) == nil)
    }
}
