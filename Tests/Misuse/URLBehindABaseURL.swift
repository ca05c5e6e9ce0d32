// expect: this builder has a base URL: give a path with path:
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func uRLBehindABaseURL(url: URL) throws {
    _ = URLRequest.builder(baseURL: url).post(url: url)
}
