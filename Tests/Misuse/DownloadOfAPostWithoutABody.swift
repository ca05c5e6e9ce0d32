// expect: this request is not complete: choose a method first
// expect: post, put, patch and method need a body step next: bodyJson(of:)
import Foundation
import NetworkClient

func downloadOfAPostWithoutABody(client: NetworkClient, file: URL) throws {
    _ = try client.download(.post(path: "items"), to: file)
}
