// expect: call can throw
import Foundation
import NetworkUtilities

/// A number with a fraction may be infinite and have no text, so its step throws.
func fractionQueryWithoutTry(url: URL) {
    _ = URLRequest.build().get(url: url).add(query: "price", value: 1.5).build()
}
