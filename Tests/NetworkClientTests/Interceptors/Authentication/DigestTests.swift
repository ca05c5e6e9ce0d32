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
            ("algorithm=MD5, qop=\"auth, auth-int\"", "8ca523f5e9506fed4657c9700eebdbec"),
            ("qop=\"auth\"", "8ca523f5e9506fed4657c9700eebdbec"),
            (
                "algorithm=SHA-256, qop=\"auth, auth-int\"",
                "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
            ),
            ("algorithm=md5-sess, qop=auth", "e783283f46242139c486a698fec7211d"),
            ("algorithm=SHA-256-sess, qop=auth", "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"),
            ("algorithm=SHA-512-256, qop=auth", "430d05014cecc49cab6fbe03176d41a1da86cbfe24a16580e22aaad928d960d0"),
            (
                "algorithm=sha-512-256-sess, qop=auth",
                "3f2a34f923c38b0fb26dce2fdfc2ce326c23cecf86fbb1444f3e51fbbc2cb92e"
            ),
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

    /// RFC 7616 §3.9.2, with the values of erratum 4897: those of the text are of SHA-512 cut short.
    @Test func theExampleWithUserHashAndSHA512256HasTheValuesOfItsErratum() throws {
        let nonce = "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK"
        let opaque = "HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS"
        let text = """
            Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="\(nonce)", opaque="\(opaque)", \
            charset=UTF-8, userhash=true
            """
        let challenge = try #require(AuthenticationChallenge.all(in: text).first.flatMap(DigestChallenge.init))
        let clientNonce = "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"
        let use = DigestUse(challenge: challenge, clientNonce: clientNonce, count: 1)
        let place = url("http://api.example.org/doe.json")
        let (user, password) = ("J\u{E4}s\u{F8}n Doe", "Secret, or not?")
        let sent = try parameters(use.value(user: user, password: password, method: "GET", url: place))
        #expect(sent["username"] == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b")
        #expect(sent["response"] == "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5")
        #expect(sent["userhash"] == "true" && sent["algorithm"] == "SHA-512-256" && sent["uri"] == "/doe.json")
    }

    /// The values were computed with another implementation of the hashes.
    @Test(
        arguments: [
            ("algorithm=MD5, qop=\"auth-int\"", "", "35ec75c6389a8fd8412c13222b3affe8"),
            ("algorithm=MD5, qop=\"auth-int\"", "a=b", "e4ac3c00299d523b5391298c4f855c18"),
            (
                "algorithm=SHA-256, qop=AUTH-INT", "a=b",
                "176672e206620851b3a3441c734a317be951c64addcf827261d0455187323ab3"
            ),
            (
                "algorithm=SHA-512-256, qop=\"x, auth-int\"", "a=b",
                "f1a60e8034ad4488719b0c0550b2f28b7d7a54272e86e711bc0ecf77b76b0cf5"
            ),
        ]
    )
    func theBodyIsHashedForAServerThatOffersIntegrityOnly(more: String, body: String, response: String) throws {
        let use = DigestUse(challenge: try challenge(more), clientNonce: Self.clientNonce, count: 1)
        let (user, password) = ("Mufasa", "Circle of Life")
        let data = Data(body.utf8)
        let value = use.value(user: user, password: password, method: "POST", url: Self.place, body: data)
        let sent = try parameters(value)
        #expect(sent["response"] == response && sent["qop"] == "auth-int" && sent["nc"] == "00000001")
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
            "Digest realm=\"a\", nonce=b, qop=auth-conf", "Digest realm=a, nonce=b, algorithm=SHA-512", "\u{0}\u{1}",
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
    }

    @Test(arguments: [
        (["MD5", "SHA-256", "SHA-512-256"], "SHA-512-256"), (["SHA-256-sess", "MD5", "SHA-256"], "SHA-256-sess"),
        (["SHA-512", "MD5"], "MD5"), (["SHA-512-256-sess", "SHA-256"], "SHA-512-256-sess"),
    ])
    func theStrongestAlgorithmIsUsedAndTheFirstOfSeveral(offered: [String], expected: String) {
        let challenges = offered.map { "Digest realm=a, nonce=n, algorithm=\($0), qop=auth" }
        let response = HTTPURLResponse.made(401, headers: ["Www-Authenticate": challenges.joined(separator: ", ")])
        #expect(DigestChallenge.strongest(of: response, for: URLRequest(url: Self.place))?.algorithm == expected)
    }

    @Test func aBodyThatIsReadWhileItIsSentGetsTheStrongestChallengeWithoutItsHash() {
        let strong = "Digest realm=a, nonce=n, algorithm=SHA-512-256, qop=auth-int"
        let weak = "Digest realm=a, nonce=n, algorithm=MD5, qop=\"auth-int,auth\""
        let response = HTTPURLResponse.made(401, headers: ["Www-Authenticate": "\(strong), \(weak)"])
        let inMemory = URLRequest.post(url: Self.place).bodyText("x").build()
        let streamed = URLRequest.post(url: Self.place).bodyStream(ScriptedChunks([Data("x".utf8)]), length: 1).build()
        #expect(DigestChallenge.strongest(of: response, for: inMemory)?.quality == .integrity)
        #expect(DigestChallenge.strongest(of: response, for: streamed)?.quality == .authentication)
        let only = HTTPURLResponse.made(401, headers: ["Www-Authenticate": strong])
        #expect(DigestChallenge.strongest(of: only, for: streamed) == nil)
    }

    /// A challenge of each algorithm may have the same nonce, and a count of the nonce must not be used twice.
    @Test func twoChallengesWithOneNonceShareItsCount() throws {
        let strong = "Digest realm=a, nonce=n, algorithm=SHA-256, qop=auth-int"
        let weak = "Digest realm=a, nonce=n, algorithm=MD5, qop=auth"
        let response = HTTPURLResponse.made(401, headers: ["Www-Authenticate": "\(strong), \(weak)"])
        let digest = DigestAuthenticator(user: "u", password: "p") { "c" }
        let inMemory = URLRequest.post(url: Self.place).bodyText("x").build()
        let streamed = URLRequest.post(url: Self.place).bodyStream(ScriptedChunks([Data("x".utf8)]), length: 1).build()
        let first = try parameters(
            try #require(digest.authorization(for: inMemory, after: response, to: nil)).field.value ?? ""
        )
        #expect(first["algorithm"] == "SHA-256" && first["qop"] == "auth-int" && first["nc"] == "00000001")
        #expect(digest.authorization(for: streamed) == nil)
        let second = try parameters(
            try #require(digest.authorization(for: streamed, after: response, to: nil)).field.value ?? ""
        )
        #expect(second["algorithm"] == "MD5" && second["qop"] == "auth" && second["nc"] == "00000002")
    }
}
