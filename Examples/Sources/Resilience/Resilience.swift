import Foundation
import NetworkClient

/// One call to a server that is overloaded twice and then refuses an expired token, and what happened to it.
@main
struct Resilience {
    private struct Item: Decodable, Sendable {
        let id: Int
        let name: String
    }

    private struct IssuedToken: Decodable, Sendable {
        let accessToken: String
        let expiresIn: Double

        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case expiresIn = "expires_in"
        }
    }

    /// A response that differs from the expected one.
    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    static func main() async {
        do {
            try await FaultyServer.run(visit)
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private static func visit(_ server: URL) async throws {
        let store = InMemoryCredentialStore(AccessToken("first", refreshToken: "secret"))
        let open = NetworkClient(baseURL: server)
        let client = NetworkClient(
            baseURL: server,
            interceptors: [
                .standardResilience,
                .authentication(.bearer(store: store) { try await refresh($0, with: open) }),
            ],
            configuration: .init(observer: { report in
                let outcome = report.error.map { "failed: \($0)" } ?? "succeeded"
                print("The call \(outcome), after \(report.journey.attempts) attempts:\n")
            })
        )
        print("One call to a server that is overloaded twice, and then refuses an expired token:")
        fflush(nil)
        let response = try await client.fetch(.get(path: "items"), as: [Item].self)
        print(response.journey)
        guard response.item.map(\.name) == ["a", "b"], response.journey.attempts == 4 else {
            throw Difference(description: "The response differs from the expected one.")
        }
    }

    private static func refresh(
        _ token: AccessToken,
        with client: NetworkClient
    ) async throws -> AccessToken {
        let form = ["refresh_token": token.refreshToken ?? ""]
        let issued = try await client.fetch(.post(path: "token").bodyForm(params: form), as: IssuedToken.self).item
        return AccessToken(issued.accessToken, expiresIn: issued.expiresIn)
    }
}
