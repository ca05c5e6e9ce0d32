// expect: write idleTimeout: for the seconds without a byte, or totalTimeout:
import Foundation
import NetworkClient
import NetworkUtilities

func timeoutAmongOptions(url: URL) {
    _ = CallOptions(acceptedStatuses: [200], timeout: 5)
    _ = NetworkClient.Configuration(baseURL: url, timeout: 5)
}
