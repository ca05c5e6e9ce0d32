import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Digest authentication, by the examples of RFC 7616 and on the wire.
struct DigestTests {
    private static let realm = "http-auth@example.org"
    private static let nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
    private static let clientNonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    private static let place = url("http://www.example.org/dir/index.html")

    private func challenge(_ more: String) throws -> DigestChallenge {
        let text = "Digest realm=\"\(Self.realm)\", nonce=\"\(Self.nonce)\", \(more)"
        return try #require(AuthenticationChallenge.all(in: text).first.flatMap(DigestChallenge.init))
    }

    private func parameters(_ value: String) throws -> [String: String] {
        try #require(AuthenticationChallenge.all(in: value).first).parameters
    }

    @Test(
        arguments: [
            (
                "", "d41d8cd98f00b204e9800998ecf8427e",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            ),
            (
                "abc", "900150983cd24fb0d6963f7d28e17f72",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            (
                "abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b",
                "71c480df93d6ae2f1efad1447c66c9525e316218cf51fc8d9ed832f2daf18b73"
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a", "f371bc4a311f2b009eef952dd83ca80e2b60026c8e935592d0f9c308453c813e"
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "8215ef0796a20bcaaae116d3876c664a",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func theHashesAreThoseOfTheirStandards(text: String, md5: String, sha256: String) {
        #expect(HashFunction.md5(text) == md5)
        #expect(HashFunction.sha256(text) == sha256)
    }

    @Test(arguments: [
        (55, "ef1772b6dff9a122358552954ad0df65"), (56, "3b0c8ac703f828b04c6c197006d17218"),
        (63, "b06521f39153d618550606be297466d5"), (64, "014842d480b571495a4a0363793f7367"),
        (119, "8a7bd0732ed6a28ce75f6dabc90e1613"), (120, "5f61c0ccad4cac44c75ff505e1f1e537"),
    ])
    func aHashPadsMessagesAtTheEndOfABlock(count: Int, md5: String) {
        #expect(HashFunction.md5(String(repeating: "a", count: count)) == md5)
    }

    @Test(
        arguments: [
            ("algorithm=MD5, qop=\"auth, auth-int\"", "8ca523f5e9506fed4657c9700eebdbec"),
            ("qop=\"auth\"", "8ca523f5e9506fed4657c9700eebdbec"),
            (
                "algorithm=SHA-256, qop=\"auth, auth-int\"",
                "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
            ),
            ("algorithm=md5-sess, qop=auth", "e783283f46242139c486a698fec7211d"),
            ("algorithm=SHA-256-sess, qop=auth", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
        ]
    )
    func theResponseIsThatOfTheExamplesOfTheStandard(more: String, response: String) throws {
        let opaque = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        let challenge = try challenge("\(more), opaque=\"\(opaque)\"")
        let use = DigestUse(challenge: challenge, clientNonce: Self.clientNonce, count: 1)
        let value = use.value(user: "Mufasa", password: "Circle of Life", method: "GET", url: Self.place)
        let sent = try parameters(value)
        #expect(sent["response"] == response)
        #expect(sent["username"] == "Mufasa" && sent["uri"] == "/dir/index.html" && sent["nc"] == "00000001")
        #expect(sent["qop"] == "auth" && sent["cnonce"] == Self.clientNonce && sent["opaque"] == opaque)
        #expect(value.hasPrefix("Digest username=\"Mufasa\", realm=\"\(Self.realm)\""))
        #expect(!value.contains("qop=\"") && !value.contains("nc=\""))
    }

    @Test func aServerWithoutAQualityGetsTheResponseOfRFC2069() throws {
        let text = "digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""
        let challenge = try #require(AuthenticationChallenge.all(in: text).first.flatMap(DigestChallenge.init))
        let use = DigestUse(challenge: challenge, clientNonce: "c", count: 1)
        let sent = try parameters(use.value(user: "Mufasa", password: "Circle Of Life", method: "GET", url: Self.place))
        #expect(sent["response"] == "670fd8c2df070c60b045671b8b24ff02")
        #expect(sent["nc"] == nil && sent["cnonce"] == nil && sent["qop"] == nil && sent["algorithm"] == nil)
    }

    @Test(
        arguments: [
            ("userhash=true, qop=auth", "Mufasa", "username=\"4238f3a16167373febb9bc4d43db9cc4\""),
            ("userhash=false, qop=auth", "Mufasa", "username=\"Mufasa\""),
            ("qop=auth", "a\"\\b", #"username="a\"\\b""#),
            ("qop=auth", "Jäsøn Doe", "username*=UTF-8''J%C3%A4s%C3%B8n%20Doe"),
        ]
    )
    func aUserNameIsSentAsAHashOrInTheFormThatHoldsIt(more: String, user: String, expected: String) throws {
        let use = DigestUse(challenge: try challenge(more), clientNonce: "c", count: 1)
        let value = use.value(user: user, password: "p", method: "GET", url: Self.place)
        #expect(value.contains(expected))
        #expect(value.contains("userhash=true") == more.hasPrefix("userhash=true"))
    }

    @Test(
        arguments: [
            ("http://h", "/"), ("http://h?a=b", "/?a=b"), ("https://u:p@h:8/a%2Fb?c=d/e#f", "/a%2Fb?c=d/e"),
            ("http://h/?x=http://y/z", "/?x=http://y/z"),
        ]
    )
    func theTargetIsThePathAndTheQueryAsTheyAreSent(place: String, target: String) throws {
        let use = DigestUse(challenge: try challenge("qop=auth"), clientNonce: "c", count: 0xAB)
        let sent = try parameters(use.value(user: "u", password: "p", method: "GET", url: url(place)))
        #expect(sent["uri"] == target && sent["nc"] == "000000ab")
    }

    @Test(
        arguments: [
            "", ",", ",,, ,", "Digest", "Digest realm", "Digest realm=", "Digest realm=\"", "Digest realm=\"\\", "=",
            "==",
            "Digest realm=\"a\", nonce=b, qop=auth-int", "Digest realm=a, nonce=b, algorithm=SHA-512-256", "\u{0}\u{1}",
            "Digest nonce=b", "Digest realm=b", "Basic realm=\"Digest realm=a, nonce=b\"", "Negotiate abc/+==",
            "@@@ ===",
            "Digest realm=a, nonce=b, algorithm=-sess", "Digest realm=a, nonce=b, qop=\"\"",
            String(repeating: "Digest realm=a, nonce=b,", count: 1_000), String(repeating: "\"", count: 9_000),
        ]
    )
    func aChallengeThatIsNotSupportedIsIgnored(text: String) {
        #expect(AuthenticationChallenge.all(in: text).compactMap(DigestChallenge.init).isEmpty)
    }

    @Test func challengesAreReadFromOneFieldOrSeveral() throws {
        let text = #"Negotiate YII/+==, Basic realm="a, \"b\"", charset="UTF-8" , digest  realm = "x",nonce=y, REALM=z"#
        let challenges = AuthenticationChallenge.all(in: text)
        let last = try #require(challenges.last)
        #expect(last.scheme == "digest" && last.parameters == ["realm": "x", "nonce": "y"])
        let basic = try #require(challenges.first { $0.scheme == "Basic" })
        #expect(basic.parameters == ["realm": "a, \"b\"", "charset": "UTF-8"])
        let md5 = "Digest realm=a, nonce=m, algorithm=MD5, qop=auth"
        let sha = "Digest realm=a, nonce=s, algorithm=SHA-256, qop=auth"
        let response = HTTPURLResponse.made(401, headers: ["Www-Authenticate": "\(md5), \(sha)"])
        #expect(DigestChallenge.strongest(of: response)?.nonce == "s")
    }
}

/// Digest authentication with a server.
struct DigestOnTheWireTests {
    /// A server that knows one user, and accepts each nonce a number of times.
    private func server(
        algorithm: String = "SHA-256",
        usesOfANonce: Int = .max
    ) throws -> LoopbackServer {
        let counts = Locked<(nonce: Int, uses: Set<String>)>((1, []))
        return try LoopbackServer { request in
            let value = request.value(forHeader: "Authorization") ?? ""
            let sent = AuthenticationChallenge.all(in: value).first?.parameters ?? [:]
            let hash: HashFunction = algorithm.hasPrefix("MD5") ? .md5 : .sha256
            let (key, place) = (hash("user:realm:pass"), hash("\(request.method):\(request.target)"))
            let middle = "\(sent["nonce"] ?? ""):\(sent["nc"] ?? ""):\(sent["cnonce"] ?? ""):auth"
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
            let challenge = "Digest realm=\"realm\", nonce=\"n\(nonce)\", algorithm=\(algorithm), qop=\"auth\"\(stale)"
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

    @Test(arguments: TransportUnderTest.all, ["MD5", "SHA-256"])
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
