import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct SharingKeyTests {
    private func key(
        _ text: String = "https://h/p?a=1",
        method: String = "GET",
        headers: [String: String] = [:],
        body: Data? = nil,
        hash: String? = nil,
        policy: RedirectPolicy = .follow,
        bodyLimit: Int = 1 << 20
    ) throws -> SharingKey {
        var request = URLRequest(url: url(text))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.httpBody = body
        return try #require(sharingKey(request, hash: hash, policy, bodyLimit))
    }

    private func sharingKey(
        _ request: URLRequest,
        sentAs sent: URLRequest? = nil,
        hash: String? = nil,
        _ policy: RedirectPolicy = .follow,
        _ bodyLimit: Int = 1 << 20
    ) -> SharingKey? {
        let optIn = SharingOptIn(customHash: hash)
        return SharingKey(of: request, sentAs: sent ?? request, optIn, redirects: policy, bodyLimit: bodyLimit)
    }

    @Test(.spec(115, 118)) func theKeysOfRequestsAreEqualThatDifferInTracingFieldsOnly() throws {
        let one = try key(headers: ["Accept": "a", "X-B": "1"], body: Data([1]), hash: "h")
        let other = try key(headers: ["x-b": "1", "ACCEPT": "a"], body: Data([1]), hash: "h")
        expect(one, other)
        for name in ["traceparent", "tracestate", "baggage", "b3", "X-B3-TraceId", "X-Request-ID"] {
            expect(try key(headers: [name: "1"]), try key(headers: [name: "2"]))
            expect(try key(headers: [name: "1"]), try key())
        }
    }

    @Test(.spec(118)) func theDifferencesOfKeysAreNamed() throws {
        let body = Data([1])
        let one = try key(headers: ["Accept": "a", "X-B": "1", "traceparent": "1"], body: body)
        let fields = ["Accept": "a", "X-B": "1"]
        let rows: [(SharingKey, [String]?)] = [
            (one, nil), (try key("https://h/q", body: body), nil), (try key(method: "POST", body: body), nil),
            (try key(body: Data([2])), nil), (try key(headers: ["Accept": "a", "X-B": "2"], body: body), ["x-b"]),
            (try key(headers: ["accept": "b", "X-C": ""], body: body), ["accept", "x-b", "x-c"]),
            (
                try key(headers: fields, body: body, hash: "h", policy: .never, bodyLimit: 1),
                ["the redirect policy", "the body limit", "the custom hash"]
            ),
        ]
        for (other, names) in rows {
            expect(one.differences(from: other), names)
            expect(other.differences(from: one), names)
        }
    }

    @Test(.spec(118), arguments: ["Authorization", "Accept", "Accept-Language", "Range", "Cookie", "X-Tenant"])
    func aKeyDiffersByAnyOtherHeaderField(name: String) throws {
        #expect(try key(headers: [name: "1"]) != key(headers: [name: "2"]))
        #expect(try key(headers: [name: "1"]) != key())
    }

    @Test(
        .spec(119, 120),
        arguments: [
            ("https://h/?a=1&a=2", "https://h/?a=2&a=1"), ("https://h/?a=1%26b%3D2", "https://h/?a=1&b=2"),
            ("https://u1@h/", "https://u2@h/"), ("https://h/a", "https://h/A"), ("https://h/", "http://h/"),
            ("https://h/%7e", "https://h/~"), ("https://h/%7e", "https://h/%7E"),
            ("https://h/?a=%7e", "https://h/?a=~"),
            ("https://h/a", "https://h/a?"),
        ]
    )
    func aKeyDiffersByAnyByteOfTheURL(one: String, other: String) throws {
        #expect(try key(one, hash: "same") != key(other, hash: "same"))
    }

    @Test(.spec(118, 119, 120)) func aKeyDiffersByMethodBodyCustomHashLimitsAndSessionProperties() throws {
        #expect(try key(method: "HEAD", hash: "same") != key(hash: "same"))
        #expect(try key(method: "PUT", body: Data([1])) != key(method: "POST", body: Data([1])))
        #expect(try key(body: Data([1])) != key(body: Data([2])))
        #expect(try key(hash: "a") != key(hash: "b"))
        #expect(try key(hash: "a") != key())
        #expect(try key(bodyLimit: 1) != key())
        #expect(try key(policy: .never) != key())
        let changes: [(inout URLRequest) -> Void] = [
            { $0.cachePolicy = .reloadIgnoringLocalCacheData }, { $0.httpShouldHandleCookies = false },
            { $0.allowsCellularAccess = false }, { $0.timeoutInterval = 1 },
        ]
        let plain = URLRequest(url: url("https://h"))
        for change in changes {
            var request = plain
            change(&request)
            #expect(sharingKey(request) != nil && sharingKey(request) != sharingKey(plain))
        }
        var streamed = plain
        streamed.httpBodyStream = InputStream(data: Data([1]))
        expect(sharingKey(streamed), nil)
    }

    @Test(.spec(166)) func aKeyDiffersByTheCookiesThatAreSent() throws {
        func key(_ store: CookieStore, _ change: (inout URLRequest) -> Void = { _ in }) throws -> SharingKey {
            var request = URLRequest(url: url("https://h/p"))
            change(&request)
            return try #require(sharingKey(request, sentAs: store.adding(to: request, on: SystemTimeSource())))
        }
        let alice = CookieStore(cookies: [try Cookie(name: "sid", value: "alice", domain: "h")])
        let bob = CookieStore(cookies: [try Cookie(name: "sid", value: "bob", domain: "h")])
        let elsewhere = CookieStore(cookies: [try Cookie(name: "sid", value: "bob", domain: "other")])
        expect(try key(alice), try key(alice))
        #expect(try key(alice) != key(bob))
        #expect(try key(alice) != key(CookieStore()))
        expect(try key(elsewhere), try key(CookieStore()))
        #expect(try key(CookieStore()) != key(CookieStore()) { $0.httpShouldHandleCookies = false })
    }
}

/// The opt-in that the caller puts on a request.
struct SharingOptInTests {
    private let request = URLRequest(url: url("https://h")).setting(header: .custom(name: "X-A", value: "1"))

    private func take(_ request: URLRequest) -> SharingOptIn? {
        var request = request
        let optIn = SharingOptIn.take(from: &request, with: request.allHTTPHeaderFields ?? [:])
        expect(request.allHTTPHeaderFields, ["X-A": "1"])
        return optIn
    }

    @Test(.spec(121), arguments: [String.lowercased, String.uppercased])
    func theOptInIsRecognisedInAnyLetterCase(change: @Sendable (String) -> () -> String) {
        var marked = request
        for (name, value) in request.withInstanceCaching(customHash: "h").allHTTPHeaderFields ?? [:] {
            marked.setValue(nil, forHTTPHeaderField: name)
            marked.setValue(value, forHTTPHeaderField: change(name)())
        }
        expect(take(marked)?.customHash, "h")
        expect(take(marked.withInstanceCaching()), SharingOptIn(customHash: nil))
        for cleared in [marked, request] {
            expect(cleared.clearingInstanceCaching().allHTTPHeaderFields, ["X-A": "1"])
        }
    }
}
