import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request and its answer, made once, so that making them is no part of what is measured.
struct PreparedAnswer: Sendable {
    let request: URLRequest
    let response: TransportResponse

    init() throws {
        guard
            let url = URL(string: "http://stub.invalid/items/1"),
            let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        else { throw URLError(.badURL) }
        request = URLRequest(url: url)
        response = TransportResponse(response: head, data: Data("{}".utf8))
    }
}
