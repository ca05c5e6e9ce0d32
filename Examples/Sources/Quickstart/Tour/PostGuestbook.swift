import Foundation
import NetworkClient
import NetworkUtilities

struct PostGuestbook: Step {
    let client: NetworkClient
    let server: URL

    let title = "POST of a form"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let request = try URLRequest.build()
            .post(url: server.appending(path: "guestbook"))
            .bodyForm(params: ["name": "Ada & Charles", "message": "1 + 1 = 2 cups", "cups": 2])
            .build()

        let response: NetworkClient.Response<Reply<GuestbookEntry>> =
            try await client.fetch(request: request)
        // snippet.hide
        let entry = response.item.value
        try expect("The entry", entry, is: GuestbookEntry(name: "Ada & Charles", message: "1 + 1 = 2 cups", cups: 2))
        return [
            .wire(response.item.seen, headers: "Authorization", "Content-Type", "Content-Length"),
            .status(response),
            .values([entry]),
        ]
    }
}
