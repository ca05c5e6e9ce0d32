import Foundation
import NetworkClientTesting
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

    @Test(.spec(28)) func fieldsMayBeGivenInADictionary() async throws {
        let interceptor: HeadersInterceptor = .headers(["X-Name": "a", "X-None": nil], mode: .adding)
        let fields = try await sent([interceptor], own: [field("x-name", "b")])
        expect(fields.map { [$0.key.lowercased(), $0.value] }, [["x-name", "b,a"]])
    }

    @Test(.spec(28), arguments: [true, false])
    func theFieldsOfAHeadersInterceptorMayBeGivenInABlock(isOn: Bool) async throws {
        let missing: HeaderField? = nil
        let fields = try await sent([
            .headers {
                HeaderField.language(value: "el")
                if isOn { field("X-On", "1") }
                missing
                for tag in ["a", "b"] { field("X-Tag", tag) }
            }
        ])
        expect(fields, ["Accept-Language": "el", "X-Tag": "a,b"].merging(isOn ? ["X-On": "1"] : [:]) { $1 })
    }

    @Test(
        .spec(28, 29, 183),
        arguments: [
            (HeadersInterceptor.Mode.keeping, "own", "old"), (.replacing, "a,b", "new"), (.adding, "own,a,b", "new"),
        ]
    )
    func twoFieldsWithOneNameAreJoinedButNotAnAuthorization(
        mode: HeadersInterceptor.Mode,
        value: String,
        authorization: String
    ) async throws {
        let interceptor: HeadersInterceptor = .headers(mode: mode) {
            field("X-Tag", "a")
            field("x-tag", "b")
            field("authorization", "new")
        }
        let sent = try await sent([interceptor], own: [field("X-Tag", "own"), field("Authorization", "old")])
        let fields = Dictionary(uniqueKeysWithValues: sent.map { ($0.key.lowercased(), $0.value) })
        expect(fields, ["x-tag": value, "authorization": authorization])
    }

    @Test func theBlockOfFieldsRunsOnceAndItsErrorIsThrownAndItsCallsRunInTheCallersTask() throws {
        let runs = Recorder<Int>()
        let interceptor: HeadersInterceptor = .headers {
            let number = runs.count
            let _ = runs.record(1)
            field("X-A", "\(number)")
            [HeaderField]()
        }
        expect(runs.count, 1)
        #expect(interceptor.runsInCallersTask)
        #expect(throws: HeaderFieldError.missingCredential) {
            try HeadersInterceptor.headers { try HeaderField.authorization(required: nil) }
        }
    }

    @Test func theClosureForFieldsIsCalledForEachRequest() async throws {
        let interceptor = HeadersInterceptor { [.authorization(.bearer("t"))] }
        #expect(!interceptor.runsInCallersTask)
        expect(try await sent([interceptor]), ["Authorization": "Bearer t"])
        await #expect(throws: (any Error).self) { try await sent([HeadersInterceptor { throw NoToken() }]) }
    }
}
