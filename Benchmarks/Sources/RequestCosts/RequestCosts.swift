import DescribedRequests

/// Writes every described request so many times, in the order of `DescribedRequest.all()`, for a tool that counts
/// instructions from outside.
@main
struct RequestCosts {
    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1
        let requests = try DescribedRequest.all()
        // What is made once, such as tables and encoders, is no cost of a request.
        for request in requests {
            for _ in 0..<10 { _ = try request.make() }
        }
        for request in requests { try request.makeRepeatedly(count) }
        // Ends what is counted for the last of them before the process ends.
        try requests.last?.makeRepeatedly(0)
    }
}
