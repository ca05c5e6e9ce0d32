import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities

@testable import NetworkClient

/// An authorization server and an API without a network.
struct OAuthServer {
    static let tokenURL = url("https://id.example.com/token")
    static let credentials = OAuthGrant.clientCredentials(id: "app", secret: "s")
    static let refresh = OAuthGrant.refreshToken(id: "app")
    static let old = AccessToken("t0", refreshToken: "r0")

    let transport = StubTransport()
    var time: any TimeSource = SystemTimeSource()

    /// The bodies of the token requests.
    var forms: [String] {
        transport.requests(matching: .post("/token")).map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// The `Authorization` fields of the requests to the API.
    var credentials: [String?] { transport.requests(matching: .method(.get)).map { $0[header: "Authorization"] } }

    /// The client of the token requests.
    var tokenClient: NetworkClient { client([]) }

    func client(_ interceptors: [any InterceptorProtocol]) -> NetworkClient {
        NetworkClient(transport: transport, interceptors: interceptors, configuration: .init(time: time))
    }

    func client(_ session: TokenSession, after first: [any InterceptorProtocol] = []) -> NetworkClient {
        client(first + [.authentication(.bearer(session), origins: [TokenServer.origin])])
    }

    func session(
        _ grant: OAuthGrant = refresh,
        store: some CredentialStore = InMemoryCredentialStore(old),
        policy: TokenSession.RefreshPolicy = .init()
    ) -> TokenSession {
        TokenSession(tokenURL: Self.tokenURL, grant: grant, store: store, policy: policy, client: tokenClient)
    }

    /// Responds to requests with a token of the list, and refuses others.
    func accept(_ tokens: String...) {
        transport.on(.method(.get)) { request in
            let isValid = tokens.contains { request[header: "Authorization"] == "Bearer \($0)" }
            return .status(isValid ? 200 : 401)
        }
    }

    static func token(_ value: String, refreshToken: String? = nil, expiresIn seconds: Int? = nil)
        -> StubTransport.Response
    {
        let fields = [
            "\"access_token\":\"\(value)\"", "\"token_type\":\"bearer\"",
            refreshToken.map { "\"refresh_token\":\"\($0)\"" },
            seconds.map { "\"expires_in\":\($0)" },
        ]
        return .json(text: "{\(fields.compactMap { $0 }.joined(separator: ","))}")
    }

    static func refusal(_ code: String, status: Int = 400) -> StubTransport.Response {
        .json(
            text: "{\"error\":\"\(code)\",\"error_description\":\"seCret\",\"error_uri\":\"https://e.example\"}",
            status: status
        )
    }
}
