import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The fault matrix over and over again, through one client.
struct FaultSoakTests {
    @Test(
        .spec(125),
        .enabled(if: ProcessFacts.now().openDescriptors != nil, "nothing is known on this platform"),
        arguments: TransportUnderTest.all
    )
    func leavesNothingBehindAfterTheWholeMatrixAgainAndAgain(transport: TransportUnderTest) async throws {
        let trials = FaultTrial.all(Fault.all).filter { $0.transport.testDescription == transport.testDescription }
        let turns = (0..<Self.turns).flatMap { turn in
            trials.indices.filter { turn < Self.heavyTurns || !trials[$0].fault.isHeavy }
        }
        let server = try LoopbackServer(recording: .countsOnly) { request in
            Int(request.path.dropFirst()).map { trials[$0].fault.script } ?? .respond()
        }
        let before = try #require(ProcessFacts.now().openDescriptors)
        do {
            let client = try transport.client()
            let next = Locked(0)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        while let index = Self.take(next, below: turns.count) {
                            await Self.run(trials[turns[index]], turns[index], client, server)
                        }
                    }
                }
            }
        }
        try await withDeadline { try await server.waitForOpenConnections(0) }
        // A leak would be one or more for each of thousands; what other tests hold at the same time, they give back.
        try await withDeadline(seconds: 60, "descriptors to be given back") {
            while (ProcessFacts.now().openDescriptors ?? 0) > before + 400 { await Task.yield() }
        }
    }

    private static let turns = 50
    /// Of those that take longer than all others together.
    private static let heavyTurns = 2

    private static func take(_ next: Locked<Int>, below end: Int) -> Int? {
        next.withLock { next in
            guard next < end else { return nil }
            defer { next += 1 }
            return next
        }
    }

    private static func run(_ trial: FaultTrial, _ index: Int, _ client: NetworkClient, _ server: LoopbackServer) async
    {
        let outcome = await client.outcome(of: trial.request(to: server.url("/\(index)")), options: trial.options)
        #expect(outcome == trial.outcome, "\(trial.fault.name)")
    }
}
