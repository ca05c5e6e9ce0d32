// expect: all requests get their header fields and their deadline from interceptors
import Foundation
import NetworkClient

func clientWithHeaders(url: URL) throws {
    _ = NetworkClient(baseURL: url, headers: ["Accept": "application/json"])
    _ = try NetworkClient(baseURL: "https://example.com", timeout: 30)
    _ = NetworkClient(baseURL: url, cookies: CookieStore(), interceptors: [.retry()])
}
