import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The fault matrix: no crash, no hang, the right error each time, and never a part of one response in another.
struct FaultTests {
    private func run(_ trial: FaultTrial) async throws {
        let fault = trial.fault
        let server = try LoopbackServer { request in
            request.path == "/next" ? .respond(body: "next") : fault.script
        }
        let client = try trial.transport.client()
        let seen = Recorder<[String: String]>()
        let outcome = await Outcome {
            let response: NetworkClient.Response<Data> = try await client.fetch(
                request: trial.request(to: server.url),
                options: trial.options
            )
            seen.record(trial.headers.keys.reduce(into: [:]) { $0[$1] = response[$1] ?? "none" })
            return response
        }
        #expect(trial.outcomes.contains(outcome))
        if case .answered = outcome { #expect(seen.values == [trial.headers]) }
        #expect(await client.outcome(of: URLRequest(url: server.url("/next"))) == .answered(200, "next"))
        if trial.spoilsConnection, trial.outcomes.count == 1 || outcome == fault.outcome {
            #expect(server.requests.last?.connection == 1)
        }
        #expect(server.requests.filter { $0.path != "/next" }.count == 1, "sent once")
    }

    @Test(.spec(90), arguments: FaultTrial.all(Fault.ofConnections))
    func everyTransportHandlesFaultsOfConnections(trial: FaultTrial) async throws {
        try await run(trial)
    }

    @Test(arguments: FaultTrial.all(Fault.ofLengths))
    func everyTransportHandlesFaultsOfLengths(trial: FaultTrial) async throws {
        try await run(trial)
    }

    @Test(arguments: FaultTrial.all(Fault.ofChunks))
    func everyTransportHandlesFaultsOfChunks(trial: FaultTrial) async throws {
        try await run(trial)
    }

    @Test(.spec(135), arguments: FaultTrial.all(Fault.ofCodings))
    func everyTransportHandlesFaultsOfCodings(trial: FaultTrial) async throws {
        try await run(trial)
    }

    @Test(arguments: FaultTrial.all(Fault.ofHeads))
    func everyTransportHandlesFaultsOfHeads(trial: FaultTrial) async throws {
        try await run(trial)
    }

    @Test(.spec(87, 135), arguments: FaultTrial.all(Fault.ofStatuses))
    func everyTransportHandlesFaultsOfStatuses(trial: FaultTrial) async throws {
        try await run(trial)
    }

    @Test(.spec(90, 138), arguments: FaultTrial.all(Fault.all))
    func everyTransportHandlesFaultsOfStreamedResponses(trial: FaultTrial) async throws {
        let fault = trial.fault
        let server = try LoopbackServer { request in
            request.path == "/next" ? .respond(body: "next") : fault.script
        }
        let client = try trial.transport.client()
        let outcome = await Outcome {
            let response = try await client.stream(trial.request(to: server.url), options: trial.options)
            let data = try await response.item.data(limit: fault.bodyLimit ?? 256 << 20)
            return response.map { _ in data }
        }
        #expect(trial.outcomes.contains(outcome))
        #expect(await client.outcome(of: URLRequest(url: server.url("/next"))) == .answered(200, "next"))
        #expect(server.requests.filter { $0.path != "/next" }.count == 1, "sent once")
    }
}

extension NetworkClient.Response {
    /// The same head with another value.
    fileprivate func map<U>(_ transform: (T) -> U) -> NetworkClient.Response<U> {
        NetworkClient.Response(item: transform(item), httpResponse: httpResponse)
    }
}
