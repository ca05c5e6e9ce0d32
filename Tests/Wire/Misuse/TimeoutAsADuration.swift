// expect: a time is a number of seconds: idleTimeout(5)
import Foundation
import NetworkClient
import NetworkUtilities

func timeoutAsADuration(url: URL) {
    _ = URLRequest.get(url: url).timeout(.seconds(5))
}
