// expect: this request is not complete: after post, put, patch or method give it a body step: bodyJson(of:)
// expect: without a method, choose one first
import Foundation
import NetworkClient

func downloadOfAPostWithoutABody(client: NetworkClient, file: URL) throws {
    _ = try client.download(.post(path: "items"), to: file)
}
