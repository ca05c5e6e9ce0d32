import NetworkClient

struct PostGuestbook: Step {
    let client: NetworkClient

    let title = "POST of a form"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let entry = try await client.fetch(
            .post(path: "guestbook")
                .bodyForm(params: ["name": "Ada & Charles", "message": "1 + 1 = 2 cups", "cups": 2]),
            as: GuestbookEntry.self
        )
        // snippet.hide
        let sent = GuestbookEntry(name: "Ada & Charles", message: "1 + 1 = 2 cups", cups: 2)
        try expect("The entry", entry.item, is: sent)
        return [
            .wire(entry, headers: "Authorization", "Content-Type", "Content-Length"),
            .status(entry),
            .values([entry.item]),
        ]
    }
}
