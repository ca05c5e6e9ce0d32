import Foundation
import NetworkClient
import NetworkUtilities

struct LogLine: Step {
    let server: URL

    let title = "The log: a line for each exchange, without headers and bodies"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let client = NetworkClient(logging: .default)
        let request = URLRequest.get(url: server.appending(path: "items/3")).build()

        let response: NetworkClient.Response<Reply<Item>> = try await client.fetch(request: request)
        // snippet.hide
        try expect("The item", response.item.value.name, is: "Lapsang Souchong")
        return [
            .status(response),
            .values([response.item.value]),
            Fact("log", "one line on standard error; on Apple platforms it is in the system's log"),
        ]
    }
}
