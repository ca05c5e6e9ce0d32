import BenchmarkHarness
import DescribedRequests
import Foundation

/// The instructions of each described request, from the best counter that there is.
struct InstructionCounts {
    /// Where they come from.
    let source: String

    /// For one request, in the order of the requests; nil where nothing counts them.
    let perRequest: [Double]?

    init(of requests: [DescribedRequest], operations: Int) throws {
        if let counts = try Self.counted(requests, operations) {
            source = "the processor's counter"
            perRequest = counts
        } else if let counts = try Self.simulated(requests, operations) {
            source = "callgrind, which counts what a simulated processor executes"
            perRequest = counts
        } else {
            source = "n/a: the system gives no counter to a process, and valgrind is not installed or failed"
            perRequest = nil
        }
    }

    /// The least of some turns: an interrupt can only add to it.
    private static func counted(_ requests: [DescribedRequest], _ operations: Int) throws -> [Double]? {
        var least: [Double] = []
        for request in requests {
            var counts: [Int] = []
            for _ in 0..<5 {
                guard let count = try Instructions.count({ try request.makeRepeatedly(operations) }) else { return nil }
                counts.append(count)
            }
            least.append(Double(counts.min() ?? 0) / Double(operations))
        }
        return least
    }

    private static func simulated(_ requests: [DescribedRequest], _ operations: Int) throws -> [Double]? {
        guard let callgrind = Callgrind(), let folder = Bundle.main.executableURL?.deletingLastPathComponent() else {
            return nil
        }
        let program = folder.appendingPathComponent("RequestCosts")
        let counts = try callgrind.counts(program, ["\(operations)"], between: "makeRepeatedly")
        guard let counts, counts.count == requests.count else { return nil }
        return counts.map { Double($0) / Double(operations) }
    }
}
