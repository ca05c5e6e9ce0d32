import Foundation
import NetworkClient
import NetworkUtilities

struct UploadRecipe: Step {
    let client: NetworkClient
    let server: URL

    let title = "Multipart upload of a text and a file"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        let text = "Mint and water"
        let file = FileManager.default.temporaryDirectory.appending(path: "quickstart-\(UUID().uuidString).txt")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        // snippet.show
        let request = try URLRequest.build()
            .post(url: server.appending(path: "recipes"))
            .bodyMultipart { form in
                form.add(key: "title", value: "Mint tea")
                try form.add(
                    key: "file",
                    file: .init(file: file, filename: "mint.txt", mimeType: .auto())
                )
            }
            .build()

        let response: NetworkClient.Response<Reply<Recipe>> = try await client.fetch(request: request)
        // snippet.hide
        let recipe = response.item.value
        let sent = Recipe(title: "Mint tea", file: "mint.txt", type: "text/plain", text: text)
        try expect("The recipe", recipe, is: sent)
        return [
            .wire(response.item.seen, headers: "Authorization", "Content-Type", "Content-Length"),
            .status(response),
            .values([recipe]),
        ]
    }
}
