// expect: a path needs a builder with a base URL
// expect: begin with URLRequest.builder(baseURL:), give the whole URL with url:
import Foundation
import NetworkUtilities

func pathWithoutABaseURL(url: URL) throws {
    _ = try URLRequest.build().get(path: "/users/\(42)")
}
