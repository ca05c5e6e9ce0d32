import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CallSettingsTests {
    private func prepare(
        _ text: String,
        base: String? = "https://api.example.com/v1",
        timeout: TimeInterval? = nil,
        options: CallOptions = CallOptions(),
        change: (inout URLRequest) -> Void = { _ in }
    ) throws -> URLRequest {
        var request = URLRequest(url: url(text))
        change(&request)
        _ = try CallSettings(
            .init(baseURL: base.map(url), idleTimeout: timeout),
            options,
            decoder: .default,
            defaultFields: ["X-Default": "d", "X-Other": "d"],
            preparing: &request
        )
        return request
    }

    @Test(
        .spec(140),
        arguments: [
            ("users/42", "https://api.example.com/v1"), ("/users/42", "https://api.example.com/v1"),
            ("users/42", "https://api.example.com/v1/"), ("/users/42", "https://api.example.com/v1/"),
        ]
    )
    func aClientAppendsARelativeURLToItsBaseURL(path: String, base: String) throws {
        expect(try prepare(path, base: base).url?.absoluteString, "https://api.example.com/v1/users/42")
    }

    @Test func aClientKeepsTheQueryAndTheEscapesOfARelativeURL() throws {
        expect(try prepare("a%2Fb?q=%2B#f").url?.absoluteString, "https://api.example.com/v1/a%2Fb?q=%2B#f")
        expect(try prepare("?q=1").url?.absoluteString, "https://api.example.com/v1?q=1")
        expect(try prepare("#f").url?.absoluteString, "https://api.example.com/v1#f")
        expect(try prepare("?q=1", base: "https://h/v1?key=k").url?.absoluteString, "https://h/v1?key=k&q=1")
        expect(try prepare("a//b?c=/../d").url?.absoluteString, "https://api.example.com/v1/a//b?c=/../d")
    }

    @Test(.spec(181)) func aClientKeepsTheQueryOfItsBaseURL() throws {
        expect(try prepare("users", base: "https://h/v1?key=k").url?.absoluteString, "https://h/v1/users?key=k")
        expect(
            try prepare("/users?page=2", base: "https://h/v1/?key=k%2B#f").url?.absoluteString,
            "https://h/v1/users?key=k%2B&page=2#f"
        )
    }

    @Test(
        .spec(181),
        arguments: [
            "https://h/v1?key=k", "https://h/v1/?key=k#f", "https://h", "https://h?", "https://h/a%2Fb//?x=%2B&y",
            "http://[::1]:8080/v1", "https://u:p@h/v1?k",
        ],
        ["users", "/users/42", "a%2Fb?q=%2B", "x?", "x#g", "a//b", "/", "/é?q=a b", "..", "./x", "a/%2e%2E/x", "a/.?q"]
    )
    func aClientAndABuilderResolveAPathAlike(base: String, path: String) throws {
        let built = try? URLRequest.builder(baseURL: url(base)).get(path: RequestPath(stringLiteral: path)).build()
        let prepared = try? prepare(path, base: base)
        expect(built?.url?.absoluteString, prepared?.url?.absoluteString)
        expect((prepared == nil), ["..", "./x", "a/%2e%2E/x", "a/.?q"].contains(path))
    }

    @Test func aBaseURLKeepsItsPortAndItsIPv6Address() throws {
        expect(try prepare("x", base: "http://[::1]:8080").url?.absoluteString, "http://[::1]:8080/x")
    }

    @Test func aClientLeavesAnAbsoluteURLUnchanged() throws {
        expect(try prepare("https://other/x").url?.absoluteString, "https://other/x")
    }

    @Test(arguments: ["//evil.com/x", "///x", "../x", "a/../../x", "a/%2e%2E/x", "./x", "."])
    func aRelativeURLCannotLeaveTheBaseURL(text: String) {
        #expect(throws: NetworkClient.Error.self) { try prepare(text) }
    }

    @Test func aRelativeURLWithoutABaseURLIsRefused() {
        #expect { try prepare("users", base: nil) } throws: {
            String(describing: $0)
                == "The URL \"users\" is relative: the client has no complete `baseURL:`, or the path leads out of it."
        }
    }

    @Test(.spec(146)) func aTimeoutOfTheCallOverridesThatOfTheRequestAndThenThatOfTheClient() throws {
        expect(try prepare("/").timeoutInterval, 60)
        expect(try prepare("/", timeout: 5).timeoutInterval, 5)
        expect(try prepare("/", timeout: 5) { $0.timeoutInterval = 7 }.timeoutInterval, 7)
        let options = CallOptions(idleTimeout: 2)
        expect(try prepare("/", timeout: 5, options: options) { $0.timeoutInterval = 7 }.timeoutInterval, 2)
    }

    @Test(.spec(182)) func aTimeoutOfSixtySecondsFromTheBuilderIsNotTheDefault() throws {
        func prepared(_ request: URLRequest, _ options: CallOptions = CallOptions()) throws -> TimeInterval {
            var request = request
            _ = try CallSettings(.init(idleTimeout: 5), options, decoder: .default, preparing: &request)
            return request.timeoutInterval
        }
        let place = url("https://h/")
        expect(try prepared(URLRequest.get(url: place).idleTimeout(60).build()), 60)
        expect(try prepared(URLRequest.get(url: place).idleTimeout(59).build()), 59)
        expect(try prepared(URLRequest.get(url: place).build()), 5)
        expect(try prepared(URLRequest(url: place), CallOptions(idleTimeout: 60)), 60)
        expect(try prepared(URLRequest.get(url: place).idleTimeout(60).build(), CallOptions(idleTimeout: 7)), 7)
    }

    @Test func defaultFieldsAreAddedUnlessTheRequestHasThem() throws {
        let fields = try prepare("/") { $0.setValue("r", forHTTPHeaderField: "x-default") }.allHTTPHeaderFields
        expect(fields?.values.sorted(), ["d", "r"])
    }

    @Test(.spec(121)) func theOptInToSharingIsRemovedBeforeTheFirstInterceptor() throws {
        expect(try prepare("/") { $0 = $0.withInstanceCaching(customHash: "h") }.allHTTPHeaderFields?.count, 2)
    }
}
