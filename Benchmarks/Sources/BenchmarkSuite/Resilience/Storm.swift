import Foundation
import NetworkClient

/// Calls through `[.standardResilience(), .authentication(…)]`, with their default numbers, to a ``StormServer``; a
/// third of the calls is cancelled, at moments from before it is sent to long after its response.
struct Storm {
    private struct Item: Decodable, Sendable {
        let number: Int
    }

    private enum Outcome: String, CaseIterable {
        case item = "as expected"
        case failed = "503 at last"
        case refused = "not sent, the circuit is open"
        case unauthenticated = "401, no refresh is left"
        case cancelled
        case wrong
    }

    /// The fraction of calls that must succeed of those that are not cancelled: three attempts fail with a probability
    /// of 0.8 %.
    private static let minSuccess = 0.98

    /// A call with a retry waits for 0.5 s in the mean.
    private static let workers = 500

    let calls: Int
    let seed: UInt64

    func run(_ report: Report) async throws {
        let before = ProcessFacts.now()
        let start = Clocks.elapsed
        let server = try StormServer(seed: seed)
        let outcomes = try await work(server)
        let seconds = Clocks.seconds(since: start)
        server.server.stop()
        _ = await Quiescence.wait(atMost: 20) { ProcessFacts.now().descriptors ?? 0 <= before.descriptors ?? 0 }
        let after = ProcessFacts.now()
        let facts = server.facts
        report.note(
            "\(calls) calls through `[.standardResilience(), .authentication(…)]` with the default numbers, to a "
                + "server whose response to one request in five is 503 and to one in a thousand 401; a third of the "
                + "calls is cancelled. \(format(seconds)) s."
        )
        let counts = [calls, facts.requests, facts.failures, facts.refusals, facts.refreshes]
        report.table(
            ["calls", "requests", "503", "401", "refreshes"] + Outcome.allCases.map(\.rawValue),
            [(counts + Outcome.allCases.map { outcomes[$0] ?? 0 }).map(String.init)]
        )
        let wrong = (outcomes[.wrong] ?? 0) + facts.strangers
        report.require(wrong == 0, "every outcome is right, and every request has a token", "\(wrong) are wrong")
        let cancelled = outcomes[.cancelled] ?? 0
        let success = Double(outcomes[.item] ?? 0) / Double(calls - cancelled)
        report.require(
            success >= Self.minSuccess,
            "at least 98 % of the calls that are not cancelled succeed",
            "\(format(success * 100, digits: 2)) %"
        )
        report.require(facts.refreshes > 0, "the token is refreshed", "\(facts.refreshes) times")
        report.require(cancelled > 0, "some calls are cancelled in flight", "\(cancelled)")
        if let before = before.descriptors, let after = after.descriptors {
            report.require(after <= before + 2, "no more descriptors than before (within 2)", "\(after - before)")
        }
    }

    private func work(_ server: StormServer) async throws -> [Outcome: Int] {
        let url = try server.server.url("/")
        let transport = try (TransportKind.available.last ?? .session).make(connections: Self.workers)
        let renewal = NetworkClient(transport: transport, logging: .off)
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken(StormServer.firstToken))) { _ in
            let request = URLRequest(url: url.appendingPathComponent("token"))
            let response: NetworkClient.Response<String> = try await renewal.fetch(request: request)
            return AccessToken(response.item)
        }
        let client = NetworkClient(
            transport: transport,
            interceptors: [try .standardResilience(), .authentication(.bearer(session), origins: [url])],
            logging: .off
        )
        let next = Locked(0)
        let counts = Locked<[Outcome: Int]>([:])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.workers {
                group.addTask {
                    while true {
                        let number = next.withLock { next in
                            next += 1
                            return next - 1
                        }
                        guard number < calls else { return }
                        let outcome = await call(number, client, url)
                        counts.withLock { $0[outcome, default: 0] += 1 }
                    }
                }
            }
        }
        return counts.withLock { $0 }
    }

    private func call(_ number: Int, _ client: NetworkClient, _ url: URL) async -> Outcome {
        let request = URLRequest(url: url.appendingPathComponent("\(number)"))
        let call = Task { () -> NetworkClient.Response<Item> in try await client.fetch(request: request) }
        let isCancelled = number % 3 == 0
        let cancellation = isCancelled ? cancel(call, after: number) : nil
        defer { cancellation?.cancel() }
        do {
            return try await call.value.item.number == number ? .item : .wrong
        } catch is CancellationError {
            return isCancelled ? .cancelled : .wrong
        } catch NetworkClient.Error.apiError(let response, _) where response.statusCode == 503 {
            return .failed
        } catch is CircuitOpenError {
            return .refused
        } catch let error as AuthenticationError where error.reason == .excessiveRefresh {
            return .unauthenticated
        } catch {
            return .wrong
        }
    }

    /// Cancels a call after some turns of the executor, as long as a response takes, or for one in four after up to a
    /// second, when it may wait for a retry.
    private func cancel<Value>(_ call: Task<Value, any Error>, after number: Int) -> Task<Void, Never> {
        Task {
            if number % 4 == 0 {
                try? await Task.sleep(for: .milliseconds(number % 1_000))
            } else {
                for _ in 0..<(number % 50) { await Task.yield() }
            }
            call.cancel()
        }
    }
}

/// A server whose response to one request in five, at random, is 503, and to each thousandth 401: it has a new token
/// then, at `/token`.
private final class StormServer: Sendable {
    struct Facts {
        var requests = 0
        var failures = 0
        var refusals = 0
        var refreshes = 0
        /// The requests without a token of this server.
        var strangers = 0
        fileprivate var seed: UInt64 = 1

        fileprivate mutating func respond(_ request: IncomingRequest) -> ResponsePart {
            guard request.target != "/token" else {
                refreshes += 1
                return .whole(body: Array("\(StormServer.firstToken)\(refreshes)".utf8))
            }
            requests += 1
            guard request.fields["authorization"]?.hasPrefix("Bearer \(StormServer.firstToken)") == true else {
                strangers += 1
                return .whole(status: 401)
            }
            guard requests % 1_000 != 0 else {
                refusals += 1
                return .whole(status: 401)
            }
            // A xorshift generator.
            seed ^= seed << 13
            seed ^= seed >> 7
            seed ^= seed << 17
            guard seed % 5 == 0 else {
                return .whole(body: Array(#"{"number":\#(request.target.dropFirst())}"#.utf8))
            }
            failures += 1
            return .whole(status: 503)
        }
    }

    static let firstToken = "token"

    let server: Server
    private let state: Locked<Facts>

    init(seed: UInt64) throws {
        let state = Locked(Facts(seed: seed))
        self.state = state
        server = try Server { request in
            var part = state.withLock { $0.respond(request) }
            // A millisecond, without which most cancellations would come after the response.
            part.delay = 1_000
            return [part]
        }
    }

    var facts: Facts { state.withLock { $0 } }
}
