import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The fault matrix over and over again, through one client.
struct FaultSoakTests {
    @Test(
        .spec(125),
        .enabled(if: ProcessFacts.now().openDescriptors != nil, "nothing is known on this platform"),
        arguments: TransportUnderTest.all
    )
    func leavesNothingBehindAfterTheWholeMatrixAgainAndAgain(transport: TransportUnderTest) async throws {
        let trials = FaultTrial.all(Fault.all).filter { $0.transport.testDescription == transport.testDescription }
        // Slow rows, which take longer than all others together, run less often.
        let (light, heavy) = transport.has(.hasOneQueueForAll) ? (4, 0) : (40, 2)
        let turns = (0..<light).flatMap { turn in
            trials.indices.filter { turn < heavy || !trials[$0].fault.isHeavy }
        }
        let server = try LoopbackServer(recording: .countsOnly) { request in
            Int(request.path.dropFirst()).map { trials[$0].fault.script } ?? .respond()
        }
        let before = try #require(ProcessFacts.now().openDescriptors)
        do {
            let client = try transport.client()
            await Turns.run(turns.count) { turn in
                await Self.run(trials[turns[turn]], turns[turn], client, server)
            }
        }
        // The server knows exactly how many sockets are open.
        try await withDeadline { try await server.waitForOpenConnections(0) }
        // A leak would be at least one descriptor for each of thousands; other tests close theirs in the meantime.
        try await withDeadline("descriptors to be given back") {
            while (ProcessFacts.now().openDescriptors ?? 0) > before + 400 { await Task.yield() }
        }
    }

    private static func run(_ trial: FaultTrial, _ index: Int, _ client: NetworkClient, _ server: LoopbackServer) async
    {
        let outcome = await client.outcome(of: trial.request(to: server.url("/\(index)")), options: trial.options)
        #expect(trial.outcomes.contains(outcome), "\(trial.fault.name)")
    }
}
