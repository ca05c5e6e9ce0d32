import NetworkClient

struct PostOrder: Step {
    let client: NetworkClient

    let title = "POST of a value as JSON"
    let code = Snippet(path: #filePath)

    func run() async throws -> [Fact] {
        // snippet.show
        let order = Order(itemID: 2, grams: 50, giftWrapped: true)
        let receipt = try await client.fetch(
            .post(path: "orders").bodyJson(of: order),
            as: Receipt.self
        )
        // snippet.hide
        try expect("The item on the receipt", receipt.item.item, is: "Gyokuro")
        try expect("The weight on the receipt", receipt.item.grams, is: order.grams)
        try expect("Content-Type", SeenRequest(receipt)?.headers["Content-Type"], is: "application/json")
        return [
            .wire(receipt, headers: "Authorization", "Content-Type", "Content-Length"),
            .status(receipt),
            .values([receipt.item]),
        ]
    }
}
