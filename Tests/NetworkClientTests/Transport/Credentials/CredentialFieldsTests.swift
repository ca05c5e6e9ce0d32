import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CredentialFieldsTests {
    @Test(.spec(162, 184), arguments: TransportUnderTest.all)
    func aKeyStaysWithItsOriginAndIsMaskedInTheLogAndInExports(transport: TransportUnderTest) async throws {
        let names = [
            "X-Auth-Key", "x-functions-key", "X-Parse-Master-Key", "DD-APPLICATION-KEY", "X-Master-Key", "X-App-Key",
            "X-Key", "x-amz-server-side-encryption-customer-key", "X-Otp", "X-Pin", "Session", "Sid", "X-Tenant",
        ]
        let stream = RecordingStream()
        let other = try LoopbackServer { _ in .respond() }
        let server = try LoopbackServer(routes: [
            "/a": .redirect(to: "/b"), "/b": .redirect(to: other.url("/c").absoluteString),
        ])
        let client = NetworkClient(
            transport: try transport.transport(),
            logging: .default(logLevel: .full, logStream: stream),
            configuration: .init(sensitiveHeaders: ["X-Tenant"])
        )
        var request = URLRequest(url: server.url("/a"))
        for name in names { request.setValue("s3cr3t", forHTTPHeaderField: name) }
        request.setValue("shown", forHTTPHeaderField: "Idempotency-Key")
        try await client.fetch(request: request)
        for name in names {
            expect(server.requests.map { $0.value(forHeader: name) }, ["s3cr3t", "s3cr3t"])
            expect(other.requests.map { $0.value(forHeader: name) }, [nil])
        }
        expect(other.requests.first?.value(forHeader: "Idempotency-Key"), "shown")
        #expect(!stream.text.contains("s3cr3t") && stream.text.contains("Idempotency-Key: shown"))
        let redaction = LogRedaction.sensitive.masking(client.configuration.sensitiveHeaders)
        expect(request.curlCommand(redaction: redaction), lacks: "s3cr3t")
    }
}

struct CredentialScopeTests {
    private func sent(_ text: String, own: [HeaderField] = []) async throws -> [String: String] {
        let seen = Recorder<[String: String]>()
        let transport = ClosureTransport { request in
            seen.record(request.allHTTPHeaderFields ?? [:])
            return (Data(), .made())
        }
        let client = NetworkClient(
            transport: transport,
            interceptors: [
                .headers([
                    .authorisation(auth: "client"), .custom(name: "X-Tenant", value: "t"),
                    .custom(name: "X-Plain", value: "p"),
                ])
            ],
            logging: .off,
            configuration: .init(baseURL: url("https://api.example.com/v1"), sensitiveHeaders: ["x-tenant"])
        )
        try await client.fetch(request: URLRequest.get(url: url(text)).set(headers: own).build())
        return try #require(seen.values.first)
    }

    @Test(arguments: ["users", "/users", "https://api.example.com/x", "HTTPS://API.example.com:443/x"])
    func credentialsAreSentToTheOriginOfTheBaseURL(text: String) async throws {
        let fields = try await sent(text)
        expect(fields, ["Authorization": "client", "X-Tenant": "t", "X-Plain": "p"])
    }

    @Test(
        .spec(144),
        arguments: [
            "https://api.example.com.evil.com/x", "https://evil.com/https://api.example.com",
            "http://api.example.com/x", "https://api.example.com:8443/x", "https://api.example.com@evil.com/",
        ]
    )
    func credentialsOfInterceptorsAreNotSentToAnotherOrigin(text: String) async throws {
        expect(try await sent(text), ["X-Plain": "p"])
    }

    @Test(.spec(144)) func credentialsOfTheCallersRequestAreSentToAnyOrigin() async throws {
        let fields = try await sent("https://other.example.com/", own: [.authorisation(auth: "own")])
        expect(fields, ["Authorization": "own", "X-Plain": "p"])
    }
}
