import Foundation
import NetworkClient
import Testing

/// authlib as the authorization server, and as the guard of an API.
@Suite(.server(.oauth), .serialized, .timeLimit(.minutes(2)))
struct OAuthTests {
    private struct Access: Codable, Equatable, Sendable {
        var client: String
        var scope: String
    }

    private static let secret = "s: é+&%/~"

    private let server: ServerProcess
    /// Sends the token requests, and the other requests without a credential.
    private let plain: NetworkClient
    private let tokenURL: URL

    init() throws {
        server = try .of(.oauth)
        plain = try .forTests()
        tokenURL = try server.url("/token")
    }

    private func get(_ path: String) async throws {
        try await plain.fetch(request: URLRequest(url: server.url(path)))
    }

    /// The grants of the token requests that an operation causes.
    private func grants(of operation: () async throws -> Void) async throws -> [String] {
        let request = URLRequest(url: try server.url("/seen"))
        let before = try await plain.fetch(request: request, as: [String].self).item.count
        try await operation()
        return Array(try await plain.fetch(request: request, as: [String].self).item[before...])
    }

    private func access(_ client: NetworkClient) async throws -> Access {
        try await client.fetch(request: URLRequest(url: server.url("/api")), as: Access.self).item
    }

    private func client(_ session: TokenSession) throws -> NetworkClient {
        try .forTests([.authentication(.bearer(session), origins: [server.url("/")])])
    }

    /// Signs in as the browser of an app does, and returns the session with its store.
    private func signedIn() async throws -> (session: TokenSession, store: InMemoryCredentialStore) {
        let pkce = PKCE()
        let (code, redirectURI) = try await code(pkce)
        let grant = OAuthGrant.authorizationCode(code, redirectURI: redirectURI, pkce: pkce, id: "app")
        let token = try await grant.token(from: tokenURL, client: plain)
        let store = InMemoryCredentialStore(token)
        return (TokenSession(tokenURL: tokenURL, grant: .refreshToken(id: "app"), store: store, client: plain), store)
    }

    /// Opens the page of the browser, and returns the code with which it leads back to the app.
    private func code(_ pkce: PKCE) async throws -> (code: String, redirectURI: URL) {
        let redirectURI = try #require(URL(string: "app:/signed-in"))
        let request = URLRequest.get(url: try server.url("/authorize")).add(queryItems: pkce.queryItems)
            .add(queryItems: [
                URLQueryItem(name: "response_type", value: "code"), URLQueryItem(name: "client_id", value: "app"),
                URLQueryItem(name: "scope", value: "read"),
                URLQueryItem(name: "redirect_uri", value: redirectURI.absoluteString),
            ])
        let options = CallOptions {
            $0.redirects = .never
            $0.acceptedStatuses = [302]
        }
        let response = try await plain.fetch(request: request.build(), options: options)
        let location = try #require(response["Location"].flatMap { URL(string: $0) })
        return (try #require(location.queryParameters?["code"]), redirectURI)
    }

    @Test(arguments: [false, true]) func aServiceSendsItsSecretAsTheServerReadsIt(secretInBody: Bool) async throws {
        let id = secretInBody ? "form" : "service"
        let grant = OAuthGrant.clientCredentials(
            id: id,
            secret: Self.secret,
            scopes: ["read", "write"],
            secretInBody: secretInBody
        )
        let client = try client(TokenSession(tokenURL: tokenURL, grant: grant, client: plain))
        let grants = try await grants {
            try await withThrowingTaskGroup(of: Access.self) { group in
                for _ in 0..<50 { group.addTask { try await access(client) } }
                for try await each in group { #expect(each == Access(client: id, scope: "read write")) }
            }
        }
        #expect(grants == ["client_credentials"])
        // A fresh token that the API refuses is replaced.
        try await get("/revoke")
        #expect(try await access(client).client == id)
    }

    @Test func aWrongSecretAndAForeignScopeAreValues() async throws {
        let wrong = OAuthGrant.clientCredentials(id: "service", secret: "wrong")
        let foreign = OAuthGrant.clientCredentials(id: "app", secret: "", secretInBody: true)
        for grant in [wrong, foreign] {
            let error = await #expect(throws: OAuthError.self) {
                _ = try await grant.token(from: tokenURL, client: plain)
            }
            #expect(error?.code == .invalidClient && error?.explanation?.isEmpty == false)
        }
    }

    @Test func anAppSignsInWithPKCEAndItsRefreshTokenIsReplacedEachTime() async throws {
        let (session, store) = try await signedIn()
        let client = try client(session)
        var refreshTokens = [store.load()?.refreshToken]
        for _ in 1...3 {
            #expect(try await access(client) == Access(client: "app", scope: "read"))
            try await get("/revoke")
            #expect(try await access(client).client == "app")
            refreshTokens.append(store.load()?.refreshToken)
        }
        #expect(Set(refreshTokens).count == 4 && !refreshTokens.contains(nil))
    }

    @Test func aDeviceAsksUntilThePersonHasEnteredItsCode() async throws {
        struct Device: Decodable {
            let deviceCode, userCode: String

            enum CodingKeys: String, CodingKey { case deviceCode = "device_code", userCode = "user_code" }
        }
        let request = URLRequest.post(url: try server.url("/device"))
            .bodyForm(pairs: ["client_id": "app", "scope": "read"]).build()
        let device = try await plain.fetch(request: request, as: Device.self).item
        let type = "urn:ietf:params:oauth:grant-type:device_code"
        let grant = OAuthGrant.custom(fields: ["grant_type": type, "device_code": device.deviceCode], id: "app")
        for code in [OAuthError.Code.authorizationPending, .slowDown] {
            let error = await #expect(throws: OAuthError.self) {
                _ = try await grant.token(from: tokenURL, client: plain)
            }
            #expect(error?.code == code)
        }
        try await get("/approve?user_code=\(device.userCode)")
        let token = try await grant.token(from: tokenURL, client: plain)
        #expect(token.scopes == ["read"] && token.refreshToken != nil)
        let store = InMemoryCredentialStore(token)
        let renewal = OAuthGrant.refreshToken(id: "app")
        let client = try client(TokenSession(tokenURL: tokenURL, grant: renewal, store: store, client: plain))
        try await get("/revoke")
        #expect(try await access(client) == Access(client: "app", scope: "read"))
        #expect(store.load()?.scopes == ["read"])
    }

    @Test func aServiceExchangesTheTokenOfAPersonForItsOwn() async throws {
        let subject = try #require(try await signedIn().store.load())
        let type = "urn:ietf:params:oauth:token-type:access_token"
        func grant(of subject: String) -> OAuthGrant {
            .custom(
                fields: [
                    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": subject,
                    "subject_token_type": type,
                ],
                id: "service",
                secret: Self.secret
            )
        }
        let token = try await grant(of: subject.value).token(from: tokenURL, client: plain)
        #expect(token["issued_token_type"] == type && token.scopes == ["read"] && token.value != subject.value)
        let session = TokenSession(tokenURL: tokenURL, grant: grant(of: subject.value), client: plain)
        #expect(try await access(client(session)) == Access(client: "service", scope: "read"))
        let error = await #expect(throws: OAuthError.self) {
            _ = try await grant(of: "unknown").token(from: tokenURL, client: plain)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func aCodeWithAnotherVerifierOrUsedTwiceIsRefused() async throws {
        let pkce = PKCE()
        for (used, other) in [(pkce, PKCE()), (pkce, pkce)] {
            let (code, redirectURI) = try await code(used)
            let grant = OAuthGrant.authorizationCode(code, redirectURI: redirectURI, pkce: other, id: "app")
            if used == other { _ = try await grant.token(from: tokenURL, client: plain) }
            let error = await #expect(throws: OAuthError.self) {
                _ = try await grant.token(from: tokenURL, client: plain)
            }
            #expect(error?.code == .invalidGrant)
        }
    }

    @Test func afterALostAnswerTheServerRefusesTheRefreshTokenAndNothingElseIsSent() async throws {
        let (session, store) = try await signedIn()
        let client = try client(session)
        let before = store.load()
        try await get("/revoke")
        try await get("/lose")
        let grants = try await grants {
            for attempt in 1...8 {
                let error = await #expect(throws: AuthenticationError.self) { _ = try await access(client) }
                #expect(error?.reason == .refreshFailed)
                #expect(((error?.underlying as? OAuthError)?.code == .invalidGrant) == (attempt > 1))
            }
        }
        #expect(grants == ["refresh_token", "refresh_token"] && store.load() == before)
        // The person signs in again.
        try await session.setToken(try await signedIn().store.load())
        #expect(try await access(client).client == "app")
    }
}
