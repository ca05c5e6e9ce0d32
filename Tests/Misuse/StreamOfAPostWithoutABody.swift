// expect: this request is not complete: choose a method first
// expect: post, put, patch and method need a body step next: bodyJson(of:)
import NetworkClient

func streamOfAPostWithoutABody(client: NetworkClient) async throws {
    _ = try await client.stream(.post(path: "items"))
}
