// expect: a request has one method, chosen in its first step
// expect: or begin another request
import Foundation
import NetworkUtilities

func secondPath(url: URL) throws {
    _ = try URLRequest.builder(baseURL: url).get(path: "/a").get(path: "/b")
}
