#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Hostile servers beside others for a while, on the engines of one transport.
@Suite(.needsHTTP2, .enabled(if: HeldName.isPossible))
struct CurlSoakTests {
    /// The time in nanoseconds: two seconds, or as many as the environment says.
    private static let duration = MonotonicClock.nanoseconds(
        ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap(Double.init) ?? 2
    )

    private let ended = Gate()
    private let flooding: HTTP2Server
    private let shut: HTTP2Server
    private let fair: HTTP2Server
    private let plain: LoopbackServer
    private let name: HeldName

    init() throws {
        let floods = HTTP2Answer.Flood.allCases
        flooding = try HTTP2Server { [ended] request in
            .flood(request, with: floods[request.connection % floods.count], until: ended)
        }
        shut = try HTTP2Server(window: 0) { .respond(to: $0) }
        fair = try HTTP2Server { .respond(to: $0) }
        plain = try LoopbackServer(recording: .countsOnly) { .json(String($0.path.dropFirst())) }
        name = try HeldName("soak.held.test")
    }

    @Test(.spec(125, 206, 207, 210))
    func floodsShutWindowsAndHeldLookUpsHurtNoOtherCall() async throws {
        defer { ended.open() }
        let threads = try #require(ProcessFacts.now().threads)
        do {
            let transport = try CurlTransport(configuration: .init(security: .init(trustRoots: TLSFixtures.root)))
            try await useAll(NetworkClient(transport: transport, logging: .off))
            name.release()
        }
        ended.open()
        try await withDeadline { try await plain.waitForOpenConnections(0) }
        try await withDeadline("threads to end") {
            while (ProcessFacts.now().threads ?? 0) > threads + 100 { await Task.yield() }
        }
    }

    private func useAll(_ client: NetworkClient) async throws {
        let held = try #require(URL(string: "http://\(name.name):\(plain.port)/"))
        let upload = URLRequest.put(url: shut.url("/")).bodyData(Data(count: 100_000)).build()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await Self.repeat { number in
                        await Self.expect("\(number)", of: plain.url("/\(number)"), over: client)
                    }
                }
                group.addTask {
                    await Self.repeat { _ in
                        await Self.expectTimeout(of: URLRequest(url: held), after: 0.05, over: client)
                    }
                }
            }
            group.addTask {
                await Self.repeat { _ in await Self.expectTimeout(of: upload, after: 0.3, over: client) }
            }
            group.addTask {
                await Self.repeat { _ in
                    let request = URLRequest(url: flooding.url("/"))
                    let outcome = await client.outcome(of: request, options: CallOptions(attemptTimeout: 1))
                    // Some versions end the connection, others only the call.
                    #expect([.failed(.timedOut), .failed(.connectionLost)].contains(outcome))
                    await Self.expect("1", of: fair.url("/"), over: client)
                }
            }
        }
    }

    /// Calls a closure with 0, 1 and so on, until the time is over.
    private static func `repeat`(_ body: @Sendable (_ number: Int) async -> Void) async {
        let end = MonotonicClock.now + duration
        var number = 0
        while MonotonicClock.now < end {
            await body(number)
            number += 1
        }
    }

    private static func expect(_ text: String, of url: URL, over client: NetworkClient) async {
        let outcome = await client.outcome(of: URLRequest(url: url), options: CallOptions(attemptTimeout: 5))
        #expect(outcome == .answered(200, text))
    }

    private static func expectTimeout(of request: URLRequest, after time: Double, over client: NetworkClient) async {
        let outcome = await client.outcome(of: request, options: CallOptions(attemptTimeout: time))
        #expect(outcome == .failed(.timedOut))
    }
}
#endif
