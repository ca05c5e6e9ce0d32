import Foundation
import NetworkClient

struct UploadRecipe: Step {
    let client: NetworkClient

    let title = "Multipart upload of a text and a file"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        let text = "Mint and water"
        let folder = FileManager.default.temporaryDirectory.appending(path: "quickstart-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "mint.txt")
        try Data(text.utf8).write(to: file)
        // snippet.show
        let recipe = try await client.fetch(
            .post(path: "recipes").bodyMultipart { form in
                form.add(key: "title", value: "Mint tea")
                try form.add(key: "file", file: file)
            },
            as: Recipe.self
        )
        // snippet.hide
        let sent = Recipe(title: "Mint tea", file: "mint.txt", type: "text/plain", text: text)
        try expect("The recipe", recipe.item, is: sent)
        return [
            .wire(recipe, headers: "Authorization", "Content-Type", "Content-Length"),
            .status(recipe),
            .values([recipe.item]),
        ]
    }
}
