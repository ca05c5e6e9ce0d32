import Foundation
import NetworkClient

struct LogLine: Step {
    let server: URL

    let title = "The log: a line for each exchange, without headers and bodies"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let client = NetworkClient(baseURL: server, logging: .default)
        let tea = try await client.fetch(.get(path: "items/3"), as: Item.self)
        // snippet.hide
        try expect("The item", tea.item.name, is: "Lapsang Souchong")
        return [
            .status(tea),
            .values([tea.item]),
            Fact("log", "one line on standard error; on Apple platforms it is in the system's log"),
        ]
    }
}
