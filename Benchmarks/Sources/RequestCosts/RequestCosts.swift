import DescribedRequests

/// Makes every described request the given number of times, in the order of `DescribedRequest.all()`, for a tool that
/// counts instructions from outside.
@main
struct RequestCosts {
    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
        let requests = DescribedRequest.all()
        // Tables and encoders that are made once aren't a cost of a request.
        for request in requests {
            for _ in 0..<10 { _ = try request.make() }
        }
        for request in requests { try request.makeRepeatedly(count) }
        // Ends the count for the last request before the process ends.
        try requests.last?.makeRepeatedly(0)
    }
}
