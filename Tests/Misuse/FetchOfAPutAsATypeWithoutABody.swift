// expect: this request is not complete: choose a method first
// expect: post, put, patch and method need a body step next: bodyJson(of:)
import NetworkClient

func fetchOfAPutAsATypeWithoutABody(client: NetworkClient) async throws {
    _ = try await client.fetch(.put(path: "items/1"), as: String.self)
}
