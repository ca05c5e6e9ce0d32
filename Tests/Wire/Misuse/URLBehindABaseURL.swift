// expect: a builder with a base URL takes path: in place of url:; begin another request with URLRequest.build()
import Foundation
import NetworkUtilities

func uRLBehindABaseURL(url: URL) throws {
    _ = URLRequest.builder(baseURL: url).post(url: url)
}
