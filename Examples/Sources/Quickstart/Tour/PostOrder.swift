import Foundation
import NetworkClient
import NetworkUtilities

struct PostOrder: Step {
    let client: NetworkClient
    let server: URL

    let title = "POST of a value as JSON"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let order = Order(itemID: 2, grams: 50, giftWrapped: true)

        let request = try URLRequest.builder(baseURL: server)
            .post(path: "/orders")
            .bodyJson(of: order)
            .set(header: .accept(type: .json))
            .build()

        let response: NetworkClient.Response<Reply<Receipt>> = try await client.fetch(request: request)
        // snippet.hide
        let receipt = response.item.value
        let seen = response.item.seen
        try expect("The item on the receipt", receipt.item, is: "Gyokuro")
        try expect("The weight on the receipt", receipt.grams, is: order.grams)
        try expect("Content-Type", seen.headers["Content-Type"], is: "application/json")
        return [
            .wire(seen, headers: "Accept", "Authorization", "Content-Type", "Content-Length"),
            .status(response),
            .values([receipt]),
        ]
    }
}
