import Foundation
import NetworkClient
import NetworkUtilities

/// Fifty calls at once with a token that has expired: it is refreshed once, and all of them succeed.
@main
struct Authentication {
    /// A result that differs from the expected one.
    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    static func main() async {
        do {
            try await TokenServer.run(visit)
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(EXIT_FAILURE)
        }
    }

    private static func visit(_ server: URL, _ tokens: TokenServer) async throws {
        let open = NetworkClient(baseURL: server)
        let store = InMemoryCredentialStore(AccessToken("old", refreshToken: "secret"))
        let bearer = AuthenticationScheme.bearer(store: store) { old in
            let form = ["refresh_token": old.refreshToken ?? ""]
            let new = try await open.fetch(.post(path: "token").bodyForm(params: form), as: String.self)
            return AccessToken(new.item, refreshToken: old.refreshToken)
        }
        let client = NetworkClient(
            baseURL: server,
            interceptors: [.authentication(bearer)]
        )
        let welcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { try await client.fetch(.get(path: "account"), as: String.self).item }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        let (refusals, refreshes) = (await tokens.refusals, await tokens.refreshes)
        print("Calls that succeeded: \(welcomes.count), after refusals: \(refusals)")
        print("Refreshes of the token: \(refreshes)")
        guard welcomes.count == 50, refreshes == 1 else {
            throw Difference(description: "The token was to be refreshed once.")
        }
    }
}
