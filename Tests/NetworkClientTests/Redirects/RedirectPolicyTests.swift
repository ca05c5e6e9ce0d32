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

    @Test(
        .spec(164),
        arguments: [
            ("echo", "https://h/a/echo#f"), ("?q=1", "https://h/a/b?q=1#f"), ("/x#g", "https://h/x#g"),
            ("//other/x", "https://other/x#f"), ("../../x", "https://h/x#f"),
            ("https://o:8443/x", "https://o:8443/x#f"),
            ("./", "https://h/a/#f"), ("#g", "https://h/a/b?q#g"),
        ]
    )
    func aLocationIsRelativeToTheURLOfItsRequest(location: String, target: String) throws {
        #expect(try next(302, location, to: request())?.url?.absoluteString == target)
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
        #expect(next.method == after)
        let hadBody = before != .get && before != .head
        #expect((next.httpBody != nil) == (hadBody && before == after))
        #expect((next.value(forHTTPHeaderField: "Content-Type") != nil) == (before == after))
        #expect(next.value(forHTTPHeaderField: "Authorization") == "a")
    }

    @Test(arguments: [200, 300, 304, 305, 306, 400])
    func anotherStatusIsNotARedirect(status: Int) throws {
        #expect(try next(status, "/x", to: request()) == nil)
    }

    @Test func aResponseWithoutAUsableLocationIsNotARedirect() throws {
        #expect(try next(302, nil, to: request()) == nil)
        #expect(try next(302, "http://[", to: request()) == nil)
    }

    @Test(.spec(162), arguments: ["https://other/x", "https://h:444/x", "https://h.evil.com/x", "//h:8443/x"])
    func theNextRequestHasNoCredentialForAnotherOrigin(location: String) throws {
        let next = try #require(try next(307, location, to: request(.post)))
        #expect(next.allHTTPHeaderFields == ["Content-Type": "t", "X-Plain": "x"])
    }

    @Test(arguments: [
        "apikey", "PRIVATE-TOKEN", "X-Vault-Token", "X-Goog-Api-Key", "X-Amz-Security-Token", "X-Access-Token",
        "Ocp-Apim-Subscription-Key", "X-Session-Id", "DPoP", "X-XSRF-Token", "Authentication", "Referer", "X-API-Key",
    ])
    func theNextRequestHasNoFieldNamedLikeASecretForAnotherOrigin(name: String) throws {
        var request = URLRequest(url: url("https://h/"))
        request.allHTTPHeaderFields = [name: "s"]
        #expect(try next(302, "https://other/", to: request)?.allHTTPHeaderFields?.isEmpty != false)
        #expect(try next(302, "/x", to: request)?.allHTTPHeaderFields?.count == 1)
    }

    @Test(
        .spec(164, 185),
        arguments: [
            ("/x", "https://u:p@h/x#f"), ("?q=1", "https://u:p@h/a/b?q=1#f"), ("../x", "https://u:p@h/x#f"),
            ("#g", "https://u:p@h/a/b?q#g"), ("//h/x", "https://h/x#f"), ("https://h/x", "https://h/x#f"),
            ("//other/x", "https://other/x#f"), ("https://v:w@h/x", "https://v:w@h/x#f"),
            (" https://v:w@other/x ", "https://v:w@other/x#f"),
        ]
    )
    func theNextURLKeepsUserAndPasswordUnlessTheLocationHasAnAuthority(location: String, target: String) throws {
        let request = try request(.get, "https://u:p@h/a/b?q#f")
        #expect(try next(302, location, to: request)?.url?.absoluteString == target)
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
        #expect(next?.url?.absoluteString == target)
    }

    @Test(arguments: ["/x#%", "/x#a b", "/x#\u{e9}", "/x#<>\"^`{|}", "#", "/x#", "##", "/%", "/x?%#%zz"])
    func aLocationMayHaveAnyFragment(location: String) throws {
        let next = try next(302, location, to: request())
        #expect(next?.url?.host == "h")
    }

    @Test func theNextURLInheritsAFragmentAsItIsEscaped() throws {
        let next = try next(302, "/x", to: request(.get, "https://h/a#%C3%A9%20%2523"))
        #expect(next?.url?.absoluteString == "https://h/x#%C3%A9%20%2523")
    }

    @Test func unescapedBytesOfALocationAreEscaped() throws {
        #expect(try next(302, "/a b/é", to: request())?.url?.absoluteString == "https://h/a%20b/%C3%A9#f")
    }

    @Test func theErrorOfARefusedRedirectNamesTheReason() throws {
        func sentence(_ location: String) throws -> String? {
            let request = try request()
            do {
                _ = try next(302, location, to: request)
                return nil
            } catch {
                return "\(error)"
            }
        }
        let failed = "The request to 'https://h/a/b' failed: it was redirected "
        #expect(try sentence("http://h/") == failed + "from https to http.")
        #expect(try sentence("file:///x") == failed + "to a URL with the scheme 'file', which is not HTTP.")
        #expect(try sentence("https:///x") == failed + "to a URL that names no host.")
    }

    @Test(arguments: ["https://h/x", "https://H:443/x", "HTTPS://h/x"])
    func aRedirectWithinTheOriginKeepsEveryField(location: String) throws {
        let next = try #require(try next(302, location, to: request()))
        #expect(next.allHTTPHeaderFields == (try request().allHTTPHeaderFields))
    }

    @Test(
        .spec(162),
        arguments: ["http://h/x", "file:///etc/passwd", "ftp://h/x", "mailto:a@b", "data:,x", "https:///x"]
    )
    func aRedirectThatLeavesHTTPOrTLSIsRefused(location: String) throws {
        let request = try request()
        #expect { try next(302, location, to: request) } throws: {
            ($0 as? TransportError)?.reason == .redirectRefused
        }
    }

    @Test func aRedirectMayLeadFromHTTPToHTTPSAndFromHTTPToHTTP() throws {
        #expect(try next(302, "https://h/x", to: request(.get, "http://h/"))?.url?.scheme == "https")
        #expect(try next(302, "http://o/x", to: request(.get, "http://h/"))?.url?.host == "o")
    }

    @Test(.spec(165)) func thePolicyDecidesWhichRedirectsAreFollowed() throws {
        #expect(try next(302, "/x", to: request(), policy: .none) == nil)
        #expect(try next(302, "/x", to: request(), policy: .sameOrigin) != nil)
        #expect(try next(302, "https://other/x", to: request(), policy: .sameOrigin) == nil)
        #expect(try next(302, "http://h/x", to: request(), policy: .sameOrigin) == nil)
    }

    @Test(.spec(163)) func aRedirectDoesNotSendAStreamAgainThatCanBeReadOnce() throws {
        var request = try request(.put)
        request.httpBodyStream = InputStream(data: Data([1]))
        #expect { try next(307, "/x", to: request) } throws: {
            ($0 as? TransportError)?.reason == .bodyNotReplayable
        }
        #expect(try next(303, "/x", to: request)?.httpBodyStream == nil)
    }
}
