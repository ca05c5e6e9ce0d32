import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct RedirectPolicyTests {
    private func request(_ method: HTTPMethod = .get, _ text: String = "https://h/a/b?q#f") throws -> URLRequest {
        var request = URLRequest(url: url(text))
        request.method = method
        if method != .get && method != .head { request.httpBody = Data([1]) }
        request.allHTTPHeaderFields = [
            "Authorization": "a", "cookie": "c", "Proxy-Authorization": "p", "Origin": "o", "Content-Type": "t",
            "X-Secret": "s", "X-Plain": "x",
        ]
        return request
    }

    private func next(
        _ status: Int,
        _ location: String?,
        to request: URLRequest,
        policy: RedirectPolicy = .follow
    ) throws -> URLRequest? {
        let headers = location.map { ["Location": $0] } ?? [:]
        let response = HTTPURLResponse.made(status, url: request.url?.absoluteString ?? "", headers: headers)
        let rules = RedirectRules(policy: policy, sensitiveHeaders: ["x-secret"])
        return try rules.next(after: ResponseHead(response), to: request)
    }

    private static let place = "https://h/a/b?q#f"
    private static let authenticated = "https://u:p@h/a/b?q#f"

    @Test(
        .spec(164, 185),
        arguments: [
            (place, "echo", "https://h/a/echo#f"), (place, "?q=1", "https://h/a/b?q=1#f"),
            (place, "/x#g", "https://h/x#g"), (place, "//other/x", "https://other/x#f"),
            (place, "../../x", "https://h/x#f"), (place, "https://o:8443/x", "https://o:8443/x#f"),
            (place, "./", "https://h/a/#f"), (place, "#g", "https://h/a/b?q#g"),
            ("http://h/", "https://h/x", "https://h/x"), ("http://h/", "http://o/x", "http://o/x"),
            // User and password are kept unless the location has an authority.
            (authenticated, "/x", "https://u:p@h/x#f"), (authenticated, "?q=1", "https://u:p@h/a/b?q=1#f"),
            (authenticated, "../x", "https://u:p@h/x#f"), (authenticated, "#g", "https://u:p@h/a/b?q#g"),
            (authenticated, "//h/x", "https://h/x#f"), (authenticated, "https://h/x", "https://h/x#f"),
            (authenticated, "//other/x", "https://other/x#f"),
            (authenticated, "https://v:w@h/x", "https://v:w@h/x#f"),
            (authenticated, " https://v:w@other/x ", "https://v:w@other/x#f"),
            // Escapes stay, and unescaped bytes are escaped.
            (place, "/a b/é", "https://h/a%20b/%C3%A9#f"),
            ("https://h/a#%C3%A9%20%2523", "/x", "https://h/x#%C3%A9%20%2523"),
        ]
    )
    func aLocationIsRelativeToTheURLOfItsRequest(place: String, location: String, target: String) throws {
        expect(try next(302, location, to: request(.get, place))?.url?.absoluteString, target)
    }

    @Test(
        .spec(163),
        arguments: [
            (301, HTTPMethod.post, HTTPMethod.get), (302, .post, .get), (303, .post, .get), (307, .post, .post),
            (308, .post, .post),
            (301, .put, .put), (302, .delete, .delete), (303, .put, .get), (303, .head, .head), (301, .head, .head),
            (302, .get, .get), (308, .patch, .patch),
        ]
    )
    func aRedirectHasTheMethodOfItsStatus(status: Int, before: HTTPMethod, after: HTTPMethod) throws {
        let next = try #require(try next(status, "/x", to: request(before)))
        expect(next.method, after)
        let hadBody = before != .get && before != .head
        expect((next.httpBody != nil), (hadBody && before == after))
        expect((next.value(forHTTPHeaderField: "Content-Type") != nil), (before == after))
        expect(next.value(forHTTPHeaderField: "Authorization"), "a")
    }

    @Test func aRedirectHasAStatusOfOneAndAUsableLocation() throws {
        for status in [200, 300, 304, 305, 306, 400] { expect(try next(status, "/x", to: request()), nil) }
        for location in [nil, "http://["] { expect(try next(302, location, to: request()), nil) }
        for location in ["/x#%", "/x#a b", "/x#\u{e9}", "/x#<>\"^`{|}", "#", "/x#", "##", "/%", "/x?%#%zz"] {
            expect(try next(302, location, to: request())?.url?.host, "h")
        }
    }

    @Test(
        .spec(162, 164),
        arguments: ["https://other/x", "https://h:444/x", "https://h.evil.com/x", "//h:8443/x"].map { ($0, true) }
            + ["https://h/x", "https://H:443/x", "HTTPS://h/x"].map { ($0, false) }
    )
    func theNextRequestHasNoCredentialForAnotherOriginOnly(location: String, isOther: Bool) throws {
        let request = try request(.post)
        let fields = try #require(try next(307, location, to: request)).allHTTPHeaderFields
        expect(fields, (isOther ? ["Content-Type": "t", "X-Plain": "x"] : request.allHTTPHeaderFields))
        let up = try next(307, "https://h/x", to: self.request(.post, "http://h/"))
        expect(up?.allHTTPHeaderFields, ["Content-Type": "t", "X-Plain": "x"])
    }

    @Test(arguments: [
        "apikey", "PRIVATE-TOKEN", "X-Vault-Token", "X-Goog-Api-Key", "X-Amz-Security-Token", "X-Access-Token",
        "Ocp-Apim-Subscription-Key", "X-Session-Id", "DPoP", "X-XSRF-Token", "Authentication", "Referer",
        "Last-Event-ID", "X-API-Key",
    ])
    func theNextRequestHasNoFieldNamedLikeASecretForAnotherOrigin(name: String) throws {
        var request = URLRequest(url: url("https://h/"))
        request.allHTTPHeaderFields = [name: "s"]
        #expect(try next(302, "https://other/", to: request)?.allHTTPHeaderFields?.isEmpty != false)
        expect(try next(302, "/x", to: request)?.allHTTPHeaderFields?.count, 1)
    }

    @Test(
        .spec(195),
        arguments: [
            (["/a", "/b"], "https://h/a#f"), (["a?x=1, 2", "https://b/"], "https://h/a/a?x=1,%202#f"),
            (["https://a/", "https://b/"], "https://a/#f"),
            (["/request?u=a, http://b"], "https://h/request?u=a,%20http://b#f"),
        ]
    )
    func theFirstOfSeveralLocationsIsFollowedWhateverItsForm(locations: [String], target: String) throws {
        let fields = ResponseFields(locations.map { ResponseFields.Field(name: "location", value: $0) })
        let head = ReceivedResponse(url: url("https://h/"), status: 302, fields: fields, metrics: nil)
        let rules = RedirectRules(policy: .follow, sensitiveHeaders: [])
        let next = try rules.next(after: ResponseHead(try #require(head)), to: request())
        expect(next?.url?.absoluteString, target)
    }

    private static let otherScheme = "to a URL with the scheme '%', which is not HTTP"

    @Test(
        .spec(162),
        arguments: [
            ("http://h/x?token=1", "from https to http: 'http://h/x'"),
            ("https:///x", "to a URL that names no host"),
            ("file:///etc/passwd", otherScheme), ("ftp://h/x", otherScheme + ": 'ftp://h/x'"),
            ("mailto:a@b", otherScheme),
            ("data:,x", otherScheme),
        ]
    )
    func aRedirectThatLeavesHTTPOrTLSIsRefused(location: String, reason: String) throws {
        let request = try request()
        let error = #expect(throws: TransportError.self) { try next(302, location, to: request) }
        expect(error?.reason, .redirectRefused)
        let scheme = String(location.prefix { $0 != ":" })
        let sentence = reason.replacingOccurrences(of: "%", with: scheme)
        expect(error.map { "\($0)" }, "The request to 'https://h/a/b' failed: it was redirected \(sentence).")
    }

    @Test(.spec(165)) func thePolicyDecidesWhichRedirectsAreFollowed() throws {
        expect(try next(302, "/x", to: request(), policy: .never), nil)
        #expect(try next(302, "/x", to: request(), policy: .sameOrigin) != nil)
        expect(try next(302, "https://other/x", to: request(), policy: .sameOrigin), nil)
        expect(try next(302, "http://h/x", to: request(), policy: .sameOrigin), nil)
    }

    @Test(.spec(163)) func aRedirectDoesNotSendAStreamAgainThatCanBeReadOnce() throws {
        var request = try request(.put)
        request.httpBodyStream = InputStream(data: Data([1]))
        #expect { try next(307, "/x", to: request) } throws: {
            ($0 as? TransportError)?.reason == .bodyNotReplayable
        }
        expect(try next(303, "/x", to: request)?.httpBodyStream, nil)
    }
}
