import Foundation
import NetworkClient

/// All steps, one after the other, against one server.
struct Tour {
    /// The owner of the server, which decides what an unexpected response means.
    enum Host {
        /// The tour's server: an unexpected response is a failure.
        case demo

        /// The user's server: an unexpected response is shown, and the tour continues.
        case foreign
    }

    /// The number of steps, and of the steps with the expected results.
    struct Summary {
        var steps = 0
        var asExpected = 0
    }

    let server: URL
    let host: Host
    let console: Console

    func run() async throws -> Summary {
        let client = makeClient()
        console.section("The client")
        console.code(Self.clientCode)
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
            baseURL: server,
            interceptors: [
                .standardResilience,
                .authentication(.bearer("demo-token")),
            ],
            apiErrorMapper: .shop
        )
        // snippet.hide
        return client
    }

    private func steps(_ client: NetworkClient) -> [any Step] {
        [
            GetItems(client: client),
            PostOrder(client: client),
            PostGuestbook(client: client),
            UploadRecipe(client: client),
            RetryPot(client: client),
            MapError(client: client),
            LogLine(server: server),
            WrongOrder(),
        ]
    }

    /// Runs one step and prints its results; returns whether they were as expected.
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

    /// Returns whether there was no response at all, so that the tour can't continue.
    private static func isUnreachable(_ error: any Error) -> Bool {
        guard let error = error as? NetworkClient.Error, case .requestError = error else { return false }
        return true
    }

    private static let clientCode = Snippet(path: #filePath)
}
