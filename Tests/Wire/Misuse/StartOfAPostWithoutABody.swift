// expect: this request is not complete: after post, put, patch or method give it a body step: bodyJson(of:)
// expect: without a method, choose one first
import NetworkClient

func startOfAPostWithoutABody(client: NetworkClient) throws {
    _ = client.start(try .post(path: "items"), as: String.self) { _ in }
}
