import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct HeadersInterceptorTests {
    private struct NoToken: Error {}

    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

    private func sent(
        _ interceptors: [any InterceptorProtocol],
        own: [HeaderField] = []
    ) async throws -> [String: String] {
        let recorder = Recorder<[String: String]>()
        let transport = ClosureTransport { request in
            recorder.record(request.allHTTPHeaderFields ?? [:])
            return (.init(), .made())
        }
        let client = NetworkClient(transport: transport, interceptors: interceptors, logging: .off)
        try await client.fetch(request: URLRequest(url: url("https://api.example.com")).setting(headers: own))
        return try #require(recorder.values.first)
    }

    @Test(.spec(183)) func addingAnAuthorizationReplacesTheOneOfTheRequest() async throws {
        let own = [field("Authorization", "old"), field("X-Tag", "a")]
        let interceptor = HeadersInterceptor([field("authorization", "new"), field("X-Tag", "b")], mode: .adding)
        #expect(try await sent([interceptor], own: own) == ["Authorization": "new", "X-Tag": "a,b"])
    }

    @Test(.spec(28), arguments: [true, false])
    func fieldsMayBeGivenInABlock(isOn: Bool) async throws {
        let missing: HeaderField? = nil
        let fields = try await sent([
            .headers {
                HeaderField.language(value: "el")
                if isOn { field("X-On", "1") }
                missing
                for tag in ["a", "b"] { field("X-Tag", tag) }
            }
        ])
        #expect(fields == ["Accept-Language": "el", "X-Tag": "a,b"].merging(isOn ? ["X-On": "1"] : [:]) { $1 })
    }

    @Test(
        .spec(28, 29),
        arguments: [
            (HeadersInterceptor.Mode.keeping, "own"), (.replacing, "a,b"), (.adding, "own,a,b"),
        ]
    )
    func twoFieldsWithOneNameAreJoined(mode: HeadersInterceptor.Mode, value: String) async throws {
        let interceptor: HeadersInterceptor = .headers(mode: mode) {
            field("X-Tag", "a")
            field("x-tag", "b")
        }
        let fields = try await sent([interceptor], own: [field("X-Tag", "own")])
        #expect(fields.count == 1 && fields.first?.value == value)
        #expect(fields.first?.key.lowercased() == "x-tag")
    }

    @Test func theBlockOfFieldsRunsOnceAndItsCallsRunInTheCallersTask() throws {
        let runs = Recorder<Int>()
        let interceptor: HeadersInterceptor = .headers {
            let number = runs.values.count
            field("X-A", "\(number)")
            [HeaderField]()
            if record(1, in: runs) { field("X-B", "1") }
        }
        #expect(runs.values == [1])
        #expect(CallRegistry.waitsOnlyInNext(interceptor))
    }

    @Test func theErrorOfTheBlockOfFieldsIsThrown() {
        #expect(throws: HeaderFieldError.missingCredential) {
            try HeadersInterceptor.headers { try HeaderField.authorisation(required: nil) }
        }
    }

    @Test func theClosureForFieldsIsCalledForEachRequest() async throws {
        let interceptor = HeadersInterceptor { [.authorisation(.bearer("t"))] }
        #expect(!CallRegistry.waitsOnlyInNext(interceptor))
        #expect(try await sent([interceptor]) == ["Authorization": "Bearer t"])
        await #expect(throws: (any Error).self) { try await sent([HeadersInterceptor { throw NoToken() }]) }
    }

    private func record(_ value: Int, in recorder: Recorder<Int>) -> Bool {
        recorder.record(value)
        return true
    }
}
