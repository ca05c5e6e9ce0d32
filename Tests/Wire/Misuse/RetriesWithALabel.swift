// expect: retries are a number, one less than the attempts
import Foundation
import NetworkClient
import NetworkUtilities

func retriesWithALabel() {
    _ = NetworkClient(interceptors: [.retry(retries: 3)])
    _ = NetworkClient(interceptors: [.retry(RetryPolicy(limit: 3))])
}
