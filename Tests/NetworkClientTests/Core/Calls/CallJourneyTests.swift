import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CallJourneyTests {
    @Test(arguments: [
        (CallJourney.Step(time: 0, kind: .attempt, number: 1), "0.000 s  attempt 1"),
        (.init(time: 0.0125, kind: .response, number: 503), "0.013 s  response 503"),
        (.init(time: 61, kind: .failure, detail: "timedOut"), "61.000 s  failure: timedOut"),
        (
            .init(time: 1, kind: .redirect, detail: "https://a.example/b", number: 302),
            "1.000 s  redirect 302 to https://a.example/b"
        ),
        (.init(time: 1.0004, kind: .wait, detail: "for a place", number: 0.25), "1.000 s  waits 0.250 s: for a place"),
        (.init(time: 2, kind: .sharing), "2.000 s  waits for the exchange of an identical call in flight"),
        (.init(time: 2, kind: .decision, detail: "gives up"), "2.000 s  decision: gives up"),
        (.init(time: -.infinity, kind: .wait, detail: "x", number: .nan), "0.000 s  waits 0.000 s: x"),
        (.init(time: .infinity, kind: .response, number: .infinity), "1000000000.000 s  response ?"),
    ]) func aStepIsOneLineOfTheTimeline(step: CallJourney.Step, line: String) {
        expect(step.description, line)
    }

    @Test func aJourneyKeepsTheFirstAndTheLastHundredSteps() {
        var draft = CallJourney.Draft()
        for number in 1...5_000 { draft.append(.init(time: Double(number), kind: .attempt, number: Double(number))) }
        let journey = draft.journey()
        expectAll((journey.attempts, journey.steps.count), (5_000, 201))
        #expect(journey.steps[99].number == 100 && journey.steps[101].number == 4_901)
        expect(journey.steps[100].description, "4900.000 s  4800 steps are left out")
        expect(journey.steps.last?.number, 5_000)
    }

    @Test func aJourneyIsOneLineForEachStep() {
        let journey = CallJourney(steps: [
            .init(time: 0, kind: .attempt, number: 1), .init(time: 1, kind: .failure, detail: "offline"),
            .init(time: 1, kind: .attempt, number: 2),
        ])
        expect(journey.attempts, 2)
        expect(journey.description, "0.000 s  attempt 1\n1.000 s  failure: offline\n1.000 s  attempt 2")
        #expect(CallJourney(steps: []).description.isEmpty)
    }

    @Test(arguments: [true, false]) func anErrorHasTheJourneyOfItsCall(isRetried: Bool) async throws {
        let transport = StubTransport()
        transport.on(.get("/refused"), .status(404), .status(404))
        transport.on(.get("/lost"), .failure(.connectionLost), .failure(.connectionLost))
        transport.on(.get("/undecodable"), .json(text: "{}"))
        let client = NetworkClient(
            transport: transport,
            interceptors: isRetried ? [.retry(RetryPolicy(retries: 1, statuses: [404]))] : [],
            configuration: .init(time: TestClock(advancesItself: true))
        )
        var journeys: [String: [String]] = [:]
        for path in ["/refused", "/lost", "/undecodable"] {
            let error = await #expect(throws: NetworkClient.Error.self) {
                let _: NetworkClient.Response<[Int]> = try await client.fetch(
                    request: URLRequest(url: url("https://h\(path)"))
                )
            }
            journeys[path] = error?.journey?.steps.map { "\($0.kind)" }.filter { $0 != "decision" }
        }
        let retry = ["attempt", "response", "wait"]
        let lost = ["attempt", "failure", "wait"]
        expect(journeys["/refused"], (isRetried ? retry : []) + ["attempt", "response"])
        expect(journeys["/lost"], (isRetried ? lost : []) + ["attempt", "failure"])
        expect(journeys["/undecodable"], ["attempt", "response"])
        expect(NetworkClient.Error.invalidUrl(originalUrl: "a").journey?.steps.count, nil)
    }
}
