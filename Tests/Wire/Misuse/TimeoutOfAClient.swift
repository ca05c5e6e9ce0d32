// expect: limits are in the configuration, in seconds
import Foundation
import NetworkClient
import NetworkUtilities

func timeoutOfAClient() throws {
    _ = try NetworkClient(baseURL: "https://example.com", timeout: 10)
}
