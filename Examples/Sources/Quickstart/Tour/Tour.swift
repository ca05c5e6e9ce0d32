import Foundation
import NetworkClient

/// All steps, one after the other, against one server.
struct Tour {
    /// Whose server it is decides what an unexpected answer means.
    enum Host {
        /// The tour's own: it is a failure.
        case demo

        /// The user's: it is shown, and the tour goes on.
        case foreign
    }

    /// How many steps there were, and how many went as expected.
    struct Summary {
        var steps = 0
        var asExpected = 0
    }

    let server: URL
    let host: Host
    let console: Console

    func run() async throws -> Summary {
        let client = makeClient()
        console.section("The client, with an interceptor of its own")
        console.code(AuthorizationInterceptor.code + Self.clientCode)
        var summary = Summary()
        for step in steps(client) {
            summary.steps += 1
            console.chapter(summary.steps, step.title)
            console.code(step.code)
            console.gap()
            if try await take(step, number: summary.steps) { summary.asExpected += 1 }
        }
        return summary
    }

    private func makeClient() -> NetworkClient {
        // snippet.show
        let client = NetworkClient(
            interceptors: [AuthorizationInterceptor(token: "demo-token")],
            apiErrorMapper: .shop,
            configuration: .init(timeout: 10)
        )
        // snippet.hide
        return client
    }

    private func steps(_ client: NetworkClient) -> [any Step] {
        [
            GetItems(client: client, server: server),
            PostOrder(client: client, server: server),
            PostGuestbook(client: client, server: server),
            UploadRecipe(client: client, server: server),
            ShareExchange(client: client, server: server),
            MapError(client: client, server: server),
            LogLine(server: server),
            WrongOrder(),
        ]
    }

    /// Takes one step and tells of it; returns whether it went as expected.
    private func take(_ step: any Step, number: Int) async throws -> Bool {
        do {
            let facts = try await step.run()
            for fact in facts { console.fact(fact) }
            return true
        } catch let error where host == .foreign && !Self.isUnreachable(error) {
            console.fact(Fact("differs", "\(error)"), .yellow)
            return false
        } catch {
            throw Unexpected(description: "Step \(number), \"\(step.title)\", failed. \(error)")
        }
    }

    /// Whether there was no answer at all, so that there is no use in going on.
    private static func isUnreachable(_ error: any Error) -> Bool {
        guard let error = error as? NetworkClient.Error, case .requestError = error else { return false }
        return true
    }

    private static let clientCode = Snippet(path: #filePath)
}
