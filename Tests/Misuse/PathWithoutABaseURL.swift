// expect: a path needs a base URL: begin with URLRequest.builder(baseURL:)
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func pathWithoutABaseURL(url: URL) throws {
    _ = try URLRequest.build().get(path: "/users/\(42)")
}
