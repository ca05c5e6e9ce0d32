// expect: this request is not complete: after post, put, patch or method give it a body step: bodyJson(of:)
// expect: without a method, choose one first
import NetworkClient

func fetchOfAPostWithoutABody(client: NetworkClient) async throws {
    _ = try await client.fetch(.post(path: "items"))
}
