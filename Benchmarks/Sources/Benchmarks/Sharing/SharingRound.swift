import BenchmarkHarness
import Foundation
import NetworkClient
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Many callers who want the same thing at once: all of them join before the exchange can end.
struct SharingRound {
    let client: NetworkClient
    let gate: GatedTransport
    let interceptor: CountingInterceptor
    let request: URLRequest
    let callers: Int

    struct Result {
        var answers = 0
        var cancellations = 0
        var others: [String] = []
        var exchanges = 0
        /// From the first call until all of them wait.
        var joiningSeconds = 0.0
        /// From the opening of the gate, or the cancellation, until the last caller has its answer.
        var settlingSeconds = 0.0
        /// When all of them wait.
        var residentBytes: Int?
    }

    enum Ending {
        case answered
        case cancelled
    }

    func run(_ ending: Ending) async -> Result {
        gate.close()
        var result = Result()
        let (exchangesBefore, passesBefore, start) = (gate.exchanges, interceptor.count, Clocks.elapsed)
        let tasks = (0..<callers).map { _ in
            Task { try await client.fetch(request: request) as NetworkClient.Response<Data> }
        }
        _ = await Quiescence.wait(atMost: 60) { interceptor.count - passesBefore == callers }
        // Between the interceptor and the place where callers wait nothing suspends: when the process has nothing left
        // to do, the last of them has arrived there too.
        result.joiningSeconds = Double(Clocks.elapsed - start) / 1_000_000_000
        await Quiescence.wait()
        result.residentBytes = ProcessFacts.now().residentBytes
        let end = Clocks.elapsed
        switch ending {
        case .answered: gate.open()
        case .cancelled: for task in tasks { task.cancel() }
        }
        for task in tasks { result.count(await task.result) }
        result.settlingSeconds = Double(Clocks.elapsed - end) / 1_000_000_000
        result.exchanges = gate.exchanges - exchangesBefore
        return result
    }
}

extension SharingRound.Result {
    fileprivate mutating func count(_ outcome: Swift.Result<NetworkClient.Response<Data>, any Error>) {
        switch outcome {
        case .success(let response) where !response.item.isEmpty: answers += 1
        case .failure(is CancellationError): cancellations += 1
        case .success: others.append("an empty answer")
        case .failure(let error): others.append("\(error)")
        }
    }
}
