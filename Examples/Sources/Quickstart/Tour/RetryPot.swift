import NetworkClient

struct RetryPot: Step {
    let client: NetworkClient

    let title = "A server that is busy: the call is sent again"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let pot = try await client.fetch(.get(path: "pot"), as: Pot.self)
        let journey = pot.journey
        // snippet.hide
        try expect("The pot", pot.item, is: Pot(size: 2))
        try expect("The number of attempts", journey.attempts, is: 2)
        return [
            Fact("journey", lines: "\(journey)".split(separator: "\n").map(String.init)),
            .status(pot),
            .values([pot.item]),
        ]
    }
}
