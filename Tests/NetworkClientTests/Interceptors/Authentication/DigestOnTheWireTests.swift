import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Digest authentication with a server.
struct DigestOnTheWireTests {
    /// A server that knows one user, and accepts each nonce a number of times.
    private func server(
        algorithm: String = "SHA-256",
        quality: String = "auth",
        usesOfANonce: Int = .max
    ) throws -> LoopbackServer {
        let counts = Locked<(nonce: Int, uses: Set<String>)>((1, []))
        return try LoopbackServer { request in
            let value = request.value(forHeader: "Authorization") ?? ""
            let sent = AuthenticationChallenge.all(in: value).first?.parameters ?? [:]
            let hash = HashFunction(rawValue: algorithm) ?? .md5
            let covered = quality == "auth" ? "" : ":\(hash(Array(request.body)))"
            let (key, place) = (hash("user:realm:pass"), hash("\(request.method):\(request.target)\(covered)"))
            let middle = "\(sent["nonce"] ?? ""):\(sent["nc"] ?? ""):\(sent["cnonce"] ?? ""):\(quality)"
            let isRight = sent["response"] == hash("\(key):\(middle):\(place)") && sent["uri"] == request.target
            let (isFresh, nonce) = counts.withLock { counts in
                if counts.uses.count >= usesOfANonce { counts = (counts.nonce + 1, []) }
                let isKnown = sent["nonce"] == "n\(counts.nonce)"
                // A count that was used before is refused.
                let isFresh = isKnown && isRight && counts.uses.insert(sent["nc"] ?? "").inserted
                return (isFresh, counts.nonce)
            }
            if isFresh { return .respond(body: request.bodyText + "yes") }
            let stale = isRight ? ", stale=true" : ""
            let offered = "realm=\"realm\", nonce=\"n\(nonce)\", algorithm=\(algorithm), qop=\"\(quality)\"\(stale)"
            let challenge = "Digest \(offered)"
            return .respond(status: 401, headers: ["WWW-Authenticate": challenge], body: "no")
        }
    }

    private func client(
        _ transport: TransportUnderTest,
        _ server: LoopbackServer,
        password: String = "pass"
    ) throws -> NetworkClient {
        let scheme = AuthenticationScheme.digest(user: "user", password: password)
        return try transport.client(interceptors: [.authentication(scheme, origins: [server.url])])
    }

    @Test(arguments: TransportUnderTest.all, HashFunction.allCases.map(\.rawValue))
    func aChallengeIsRespondedToOnceAndItsNonceIsUsedAgain(
        transport: TransportUnderTest,
        algorithm: String
    ) async throws {
        let server = try server(algorithm: algorithm)
        let client = try client(transport, server)
        for number in 1...3 {
            let request = URLRequest.post(url: server.url("/a?n=\(number)")).bodyText("\(number)").build()
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            #expect(response.item == "\(number)yes")
        }
        #expect(server.requestCount == 4)
        #expect(server.requests.first?.value(forHeader: "Authorization") == nil)
        let counts = server.requests.dropFirst().map { $0.value(forHeader: "Authorization") ?? "" }
        for (number, value) in counts.enumerated() { #expect(value.contains("nc=0000000\(number + 1)")) }
    }

    @Test(arguments: TransportUnderTest.all)
    func theBodyIsCoveredWhereTheServerDemandsItAndAStreamedBodyIsRefused(
        transport: TransportUnderTest
    ) async throws {
        let server = try server(algorithm: "SHA-512-256", quality: "auth-int")
        let client = try client(transport, server)
        let form = URLRequest.post(url: server.url("/form")).bodyForm(pairs: ["a": "b c"]).build()
        #expect(try await client.status(form) == 200)
        #expect(try await client.status(URLRequest(url: server.url("/get"))) == 200)
        #expect(server.requestCount == 3)
        let body = ScriptedChunks([Data("x".utf8)])
        let streamed = URLRequest.put(url: server.url("/stream")).bodyStream(body, length: 1).build()
        #expect(try await client.status(streamed) == 401)
        let directory = try TemporaryDirectory()
        let file = try directory.file("x.txt", "x")
        let fromFile = try URLRequest.put(url: server.url("/file")).bodyFile(at: file).build()
        #expect(try await client.status(fromFile) == 401)
        #expect(server.requestCount == 5)
        #expect(server.requests.suffix(2).allSatisfy { $0.value(forHeader: "Authorization") == nil })
        #expect(try await client.status(form) == 200)
        #expect(server.requestCount == 6)
    }

    @Test(arguments: TransportUnderTest.all)
    func aStaleNonceIsReplacedAndAWrongPasswordIsSentOnce(transport: TransportUnderTest) async throws {
        let stale = try server(usesOfANonce: 2)
        let client = try client(transport, stale)
        for _ in 1...5 { #expect(try await client.status(URLRequest(url: stale.url("/"))) == 200) }
        #expect(stale.requestCount == 8)
        let server = try server()
        let wrong = try self.client(transport, server, password: "wrong")
        #expect(try await wrong.status(URLRequest(url: server.url("/"))) == 401)
        #expect(server.requestCount == 2)
        #expect(try await wrong.status(URLRequest(url: server.url("/"))) == 401)
        #expect(server.requestCount == 3)
    }

    @Test func aWrongPasswordIsSentOnceForEachRequestToAServerWithFreshNonces() async throws {
        let count = Locked(0)
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let challenge = "Digest realm=\"realm\", nonce=\"n\(number)\", qop=\"auth\""
            return .respond(status: 401, headers: ["WWW-Authenticate": challenge])
        }
        let client = try client(TransportUnderTest.all[0], server, password: "wrong")
        for number in 1...4 {
            #expect(try await client.status(URLRequest(url: server.url("/\(number)"))) == 401)
            let sent = server.requests.filter { $0.path == "/\(number)" }
            #expect(sent.filter { $0.value(forHeader: "Authorization") != nil }.count == 1)
        }
    }

    /// A server that has started again knows none of its nonces, and not every server says that they are stale.
    @Test func aNonceThatTheServerHasForgottenIsReplaced() async throws {
        let nonce = Locked("a")
        let server = try LoopbackServer { request in
            let sent = AuthenticationChallenge.all(in: request.value(forHeader: "Authorization") ?? "")
            let known = nonce.withLock { $0 }
            if sent.first?.parameters["nonce"] == known { return .respond(body: "yes") }
            let challenge = "Digest realm=\"realm\", nonce=\"\(known)\", qop=\"auth\""
            return .respond(status: 401, headers: ["WWW-Authenticate": challenge])
        }
        let client = try client(TransportUnderTest.all[0], server)
        for known in ["a", "a", "b", "b"] {
            nonce.withLock { $0 = known }
            #expect(try await client.status(URLRequest(url: server.url("/"))) == 200)
        }
        #expect(server.requestCount == 6)
    }

    @Test(arguments: TransportUnderTest.all)
    func concurrentRequestsNeverUseACountTwice(transport: TransportUnderTest) async throws {
        let server = try server()
        let client = try client(transport, server)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                group.addTask { try await client.status(URLRequest(url: server.url("/\(number)"))) }
            }
            for try await status in group { #expect(status == 200) }
        }
        let values = server.requests.compactMap { $0.value(forHeader: "Authorization") }
        let counts = values.compactMap { AuthenticationChallenge.all(in: $0).first?.parameters["nc"] }
        #expect(counts.count == 20 && Set(counts).count == 20)
    }

    @Test func aBodyThatCanBeReadOnceIsNotSentAgainButTheNextRequestUsesTheNonce() async throws {
        let server = try server()
        let client = try client(TransportUnderTest.all[0], server)
        let body = ScriptedChunks([Data("x".utf8)])
        let oneShot = URLRequest.post(url: server.url("/once")).bodyStream(body, length: 1).build()
        #expect(try await client.status(oneShot) == 401)
        #expect(server.requestCount == 1)
        let response: NetworkClient.Response<String> = try await client.fetch(request: URLRequest(url: server.url("/")))
        #expect(response.item == "yes" && server.requestCount == 2)
    }
}
