// expect: this request is not complete: choose a method first
// expect: post, put, patch and method need a body step next: bodyJson(of:)
import NetworkClient

func uploadOfAPostAsATypeWithoutABody(client: NetworkClient) throws {
    _ = try client.upload(.post(path: "items"), as: String.self)
}
