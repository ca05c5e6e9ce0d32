// expect: this request is not complete: choose a method first
// expect: post, put, patch and method need a body step next: bodyJson(of:)
import NetworkClient

func startOfAPostWithoutABody(client: NetworkClient) throws {
    _ = client.start(try .post(path: "items"), as: String.self) { _ in }
}
