// expect: a path needs a base URL: begin with URLRequest.builder(baseURL:)
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func optionsWithoutABaseURL(url: URL) throws {
    _ = try URLRequest.build().options(path: "/users")
}
