import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// One token request: its form, its response, and its refusal.
struct OAuthGrantTests {
    private static let verifier = String(repeating: "v", count: 43)

    private func token(
        _ response: StubTransport.Response,
        _ grant: OAuthGrant = OAuthServer.credentials,
        replacing old: AccessToken? = nil
    ) async throws -> AccessToken {
        let server = OAuthServer()
        server.transport.on(.post("/token"), response)
        return try await grant.token(from: OAuthServer.tokenURL, replacing: old, client: server.tokenClient)
    }

    private static let forms: [(grant: OAuthGrant, form: String, authorization: String?)] = [
        (
            .clientCredentials(id: "app", secret: "s", scopes: ["read", "write"]),
            "grant_type=client_credentials&scope=read+write", "Basic YXBwOnM="
        ),
        // RFC 6749 §2.3.1: both are encoded as in a form, so that a colon stays within its part.
        (
            .clientCredentials(id: "a:b", secret: "c d+%é", parameters: ["resource": "u:1", "resource": "u:2"]),
            "grant_type=client_credentials&resource=u%3A1&resource=u%3A2",
            "Basic " + Data("a%3Ab:c%20d%2B%25%C3%A9".utf8).base64EncodedString()
        ),
        (
            .clientCredentials(id: "app", secret: "s&", parameters: ["audience": "api"], secretInBody: true),
            "grant_type=client_credentials&audience=api&client_id=app&client_secret=s%26", nil
        ),
        (.refreshToken(id: "app"), "grant_type=refresh_token&refresh_token=r0&client_id=app", nil),
        (
            .refreshToken(id: "app", secret: "s", scopes: ["read"]),
            "grant_type=refresh_token&refresh_token=r0&scope=read", "Basic YXBwOnM="
        ),
        (
            .authorizationCode("c", redirectURI: url("app:/x"), pkce: PKCE(verifier: verifier), id: "app"),
            "grant_type=authorization_code&code=c&redirect_uri=app%3A%2Fx&code_verifier=\(verifier)&client_id=app", nil
        ),
        (.authorizationCode("c", id: "app", secret: "s"), "grant_type=authorization_code&code=c", "Basic YXBwOnM="),
        (
            .custom(fields: ["grant_type": "x:e", "audience": "a", "audience": "b"], id: "app", scopes: ["read"]),
            "grant_type=x%3Ae&audience=a&audience=b&scope=read&client_id=app", nil
        ),
        (.custom(fields: ["grant_type": "x"], id: "app", secret: "s"), "grant_type=x", "Basic YXBwOnM="),
        (
            .custom(fields: ["grant_type": "x"], id: "app", secret: "s", secretInBody: true),
            "grant_type=x&client_id=app&client_secret=s", nil
        ),
        // RFC 7523 §2.1: an assertion needs no client.
        (.custom(fields: ["grant_type": "x", "assertion": "j"], id: nil), "grant_type=x&assertion=j", nil),
    ]

    @Test(.spec(227)) func eachGrantSendsItsFormAndAuthenticatesItsClient() async throws {
        for (grant, form, authorization) in Self.forms {
            let server = OAuthServer()
            server.transport.on(.post("/token"), OAuthServer.token("t"))
            let old = form.contains("refresh_token") ? OAuthServer.old : nil
            _ = try await grant.token(from: OAuthServer.tokenURL, replacing: old, client: server.tokenClient)
            expect(server.forms, [form])
            let request = try #require(server.transport.requests.first)
            expect(request[header: "Authorization"], authorization, form)
            expect(request[header: "Accept"], "application/json")
            expect(request[header: "Content-Type"]?.hasPrefix("application/x-www-form-urlencoded"), true)
        }
    }

    @Test(.spec(256)) func aTokenRequestIsNeverCompressed() async throws {
        let transport = StubTransport(otherwise: .json(text: #"{"access_token":"t"}"#))
        let client = NetworkClient(transport: transport, interceptors: [.compression])
        let old = AccessToken("a", refreshToken: String(repeating: "r", count: 3_000))
        _ = try await OAuthGrant.refreshToken(id: "app")
            .token(from: OAuthServer.tokenURL, replacing: old, client: client)
        expect(transport.requests.map { $0[header: "Content-Encoding"] }, [nil])
    }

    @Test func aCodeIsExchangedOnceAndThenTheRefreshToken() async throws {
        let server = OAuthServer()
        server.transport.on(.post("/token"), OAuthServer.token("t1", refreshToken: "r1"), OAuthServer.token("t2"))
        server.accept("t2")
        let store = InMemoryCredentialStore()
        let session = server.session(.authorizationCode("c", id: "app"), store: store)
        expect(try await server.client(session).status(TokenServer.request()), 200)
        expect(server.credentials, ["Bearer t1", "Bearer t2"])
        expect(server.forms.map { String($0.prefix(23)) }, ["grant_type=authorizatio", "grant_type=refresh_toke"])
        expect(store.load(), AccessToken("t2", refreshToken: "r1"))
        // A code works once: after the sign-out, nothing is exchanged.
        try await session.signOut()
        let error = await #expect(throws: AuthenticationError.self) {
            try await server.client(session).status(TokenServer.request())
        }
        expectAll((error?.reason, server.forms.count), (.missingCredential, 2))
    }

    @Test func aTokenResponseIsReadAsServersSendIt() async throws {
        let lives: [(text: String, seconds: Double?)] = [
            ("3600", 3_600), ("\"3600\"", 3_600), ("36e2", 3_600), ("null", nil), ("\"soon\"", nil), ("\"nan\"", nil),
            ("\"1e999\"", nil), ("[1]", nil), ("9e300", nil), ("0", nil), ("\"-1\"", nil),
        ]
        for (text, seconds) in lives {
            let json =
                "{\"access_token\":\"t\",\"token_type\":\"BEARER\",\"refresh_token\":\"r\",\"expires_in\":\(text)}"
            let token = try await token(.json(text: json))
            expectAll((token.value, token.refreshToken), ("t", "r"))
            let life = token.expiry?.timeIntervalSince(Date())
            #expect(seconds == nil ? life == nil : abs((life ?? 0) - 3_600) < 600, "\(text)")
        }
        let empty = ",\"token_type\":\"\",\"refresh_token\":\"\",\"error\":\"\""
        for rest in ["", empty] {
            expect(try await token(.json(text: "{\"access_token\":\"t\"\(rest)}")), AccessToken("t"))
        }
    }

    @Test(.spec(227)) func theOtherMembersOfATokenResponseAreReadableAndAreStored() async throws {
        let members = "\"id_token\":\"h.p.s\",\"issued_token_type\":\"urn:x\",\"granted\":{\"level\":2},\"none\":null"
        let json = "{\"access_token\":\"t\",\"token_type\":\"Bearer\",\"scope\":\"read  write\",\(members)}"
        let token = try await token(.json(text: json))
        let stored = try JSONDecoder().decode(AccessToken.self, from: JSONEncoder().encode(token))
        for token in [token, stored] {
            expect(token.scopes, ["read", "write"])
            expect(token.idToken, "h.p.s")
            expect(token["issued_token_type"], "urn:x")
            expect(token["token_type"], "Bearer")
            expect(token["granted"], ["level": 2])
            expect(token["none"] as String?, nil)
            expect(token["granted"] as String?, nil)
            expect(token["access_token"] as String?, nil)
        }
        let list = try await self.token(.json(text: "{\"access_token\":\"t\",\"scope\":[\"read\"]}"))
        expect(list.scopes, ["read"])
        expect(AccessToken("t").scopes, nil)
        // What was stored by an earlier version has no members.
        expect(try JSONDecoder().decode(AccessToken.self, from: Data("{\"value\":\"t\"}".utf8)), AccessToken("t"))
    }

    @Test(.spec(227)) func aRenewedTokenKeepsTheMembersThatItsResponseDoesNotHave() async throws {
        let server = OAuthServer()
        let first = "{\"access_token\":\"t1\",\"refresh_token\":\"r1\",\"scope\":\"a b\",\"id_token\":\"i1\"}"
        let next = "{\"access_token\":\"t2\",\"scope\":\"a\"}"
        server.transport.on(.post("/token"), .json(text: first), .json(text: next))
        server.accept("t2")
        let store = InMemoryCredentialStore()
        let fields: KeyValuePairs = ["grant_type": "x"]
        let session = server.session(.custom(fields: fields, id: "app"), store: store)
        expect(try await server.client(session).status(TokenServer.request()), 200)
        expect(server.forms, ["grant_type=x&client_id=app", "grant_type=refresh_token&refresh_token=r1&client_id=app"])
        let token = store.load()
        expect(token?.value, "t2")
        expect(token?.scopes, ["a"])
        expect(token?.idToken, "i1")
    }

    @Test(.spec(227)) func aCustomGrantWithoutARefreshTokenIsSentAgain() async throws {
        let server = OAuthServer()
        server.transport.on(.post("/token"), OAuthServer.token("t1"), OAuthServer.token("t2"))
        server.accept("t2")
        let grant = OAuthGrant.custom(fields: ["grant_type": "x", "subject_token": "s"], id: "app")
        let client = server.client(server.session(grant, store: InMemoryCredentialStore()))
        expect(try await client.status(TokenServer.request()), 200)
        expect(server.forms, Array(repeating: "grant_type=x&subject_token=s&client_id=app", count: 2))
    }

    /// The grant stands for a person, and its parameters prove the client, with refresh tokens too.
    @Test(.spec(227)) func aPersonOfACustomGrantStaysSignedOut() async throws {
        let server = OAuthServer()
        server.transport.on(.post("/token"), OAuthServer.token("t1", refreshToken: "r1"), OAuthServer.token("t2"))
        server.accept("t2")
        let grant = OAuthGrant.custom(
            fields: ["grant_type": "x", "subject_token": "s"],
            id: nil,
            parameters: ["client_assertion": "a"]
        )
        let session = server.session(grant, store: InMemoryCredentialStore())
        expect(try await server.client(session).status(TokenServer.request()), 200)
        let forms = [
            "grant_type=x&subject_token=s&client_assertion=a",
            "grant_type=refresh_token&refresh_token=r1&client_assertion=a",
        ]
        expect(server.forms, forms)
        try await session.signOut()
        let error = await #expect(throws: AuthenticationError.self) {
            try await server.client(session).status(TokenServer.request())
        }
        expect(error?.reason, .missingCredential)
        expect(server.forms, forms)
        let secret = OAuthGrant.custom(fields: ["grant_type": "x"], id: nil, secret: "s")
        await #expect(throws: AuthenticationError.self) { try await secret.token(from: OAuthServer.tokenURL) }
    }

    @Test func aResponseWithoutAUsableTokenIsAClearError() async throws {
        let type = "The authorization server issued a token of another type than Bearer."
        let missing = "The authorization server sent no access token."
        let responses: [(text: String, code: OAuthError.Code, sentence: String)] = [
            ("{\"access_token\":\"seCret\",\"token_type\":\"DPoP\"}", .unsupportedTokenType, type),
            ("{\"access_token\":\" \"}", .invalidResponse, missing),
            ("{\"access_token\":1}", .invalidResponse, missing),
            ("access_token=seCret", .invalidResponse, missing), ("[]", .invalidResponse, missing),
            ("", .invalidResponse, missing), ("\u{0}", .invalidResponse, missing),
            (String(repeating: "[", count: 100_000), .invalidResponse, missing),
            (
                "{\"error\":\"bad_verification_code\"}", OAuthError.Code(rawValue: "bad_verification_code"),
                "The authorization server refused the request (bad_verification_code)."
            ),
        ]
        for (text, code, sentence) in responses {
            let error = await #expect(throws: OAuthError.self) { _ = try await token(.json(text: text)) }
            expect(error?.code, code, text)
            expect(error?.description, sentence)
        }
    }

    @Test(arguments: [400, 401, 403]) func aRefusalIsAValueWhoseTextShowsOnlyItsCode(status: Int) async throws {
        let codes: [(code: String, shown: String)] = [
            ("invalid_grant", "invalid_grant"), ("mfa_required", "mfa_required"), ("seCret 1", "an unknown error"),
        ]
        for (code, shown) in codes {
            let error = await #expect(throws: OAuthError.self) {
                _ = try await token(OAuthServer.refusal(code, status: status))
            }
            let known = try #require(error)
            expect(known, OAuthError(.init(rawValue: code), explanation: "seCret", uri: "https://e.example"))
            expect(known.description, "The authorization server refused the request (\(shown)).")
            expect(LogRedaction.sensitive.text(of: known), known.description)
            var dumped = ""
            dump(known, to: &dumped)
            expect(dumped, lacks: "seCret")
        }
    }

    @Test func aTokenResponseThatIsNotAnOAuthErrorIsAnErrorOfTheClient() async throws {
        for (response, status) in [
            (OAuthServer.refusal("invalid_grant", status: 503), 503), (.text("seCret", status: 400), 400),
            (.status(500), 500),
        ] as [(StubTransport.Response, Int)] {
            do {
                _ = try await token(response)
                Issue.record("\(status) was accepted")
            } catch NetworkClient.Error.apiError(let received, _) {
                expect(received.statusCode, status)
            }
        }
    }

    @Test func aRefreshGrantWithoutARefreshTokenSendsNothing() async throws {
        for old in [nil, AccessToken("t")] {
            let error = await #expect(throws: AuthenticationError.self) {
                _ = try await token(.status(200), OAuthServer.refresh, replacing: old)
            }
            expect(error?.reason, .missingCredential)
        }
    }

    @Test func noLogReportOrDescriptionShowsASecret() async throws {
        let stream = RecordingStream()
        let server = OAuthServer()
        let fields = "\"access_token\":\"seCret1\",\"refresh_token\":\"seCret2\",\"id_token\":\"seCret3\""
        server.transport.on(.post("/token"), .json(text: "{\(fields)}"))
        let client = NetworkClient(
            transport: server.transport,
            logging: .default(logLevel: .full, logStream: stream)
        )
        let pkce = try #require(PKCE(verifier: "seCret" + String(repeating: "v", count: 40)))
        let grants: [OAuthGrant] = [
            .authorizationCode("seCret4", pkce: pkce, id: "app", secret: "seCret5", secretInBody: true),
            .clientCredentials(id: "app", secret: "seCret6", parameters: ["client_assertion": "seCret7"]),
            .refreshToken(id: "app", secret: "seCret8", parameters: ["assertion": "seCret9"], secretInBody: true),
            .custom(fields: ["device_code": "seCretA", "subject_token": "seCretB"], id: "app"),
        ]
        var dumped = "\(grants) \(pkce)"
        dump((grants, pkce), to: &dumped)
        for (grant, old) in zip(grants, [nil, nil, AccessToken("t", refreshToken: "seCret0"), nil]) {
            dump(try await grant.token(from: OAuthServer.tokenURL, replacing: old, client: client), to: &dumped)
        }
        let masked = ["code", "code_verifier", "client_secret", "client_assertion", "refresh_token", "assertion"]
        for field in masked + ["device_code", "subject_token"] {
            #expect(stream.text.contains("\(field)=***"), "\(field)")
        }
        expect(stream.text, contains: "Authorization: ***", "\"access_token\"")
        #expect(!stream.text.contains("seCret") && !dumped.contains("seCret"))
    }
}
