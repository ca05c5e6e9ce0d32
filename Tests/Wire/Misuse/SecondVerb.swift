// expect: a request has one method, chosen in its first step
// expect: begin another request with URLRequest.build()
import Foundation
import NetworkUtilities

func secondVerb(url: URL) {
    _ = URLRequest.build().get(url: url).post(url: url)
}
