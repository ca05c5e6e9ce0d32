// expect: a time is a number of seconds: 5 in place of .seconds(5)
import Foundation
import NetworkClient
import NetworkUtilities

func timeoutAsADuration(url: URL) {
    _ = URLRequest.get(url: url).idleTimeout(.seconds(5))
    _ = CallOptions(idleTimeout: .seconds(5))
    _ = NetworkClient(interceptors: [.deadline(.seconds(5))])
}
