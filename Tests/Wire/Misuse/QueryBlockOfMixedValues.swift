// expect: a dictionary in a block has values with a text, such as strings and integers
import Foundation
import NetworkUtilities

func queryBlockOfMixedValues(url: URL) {
    _ = URLRequest.get(url: url).query { ["page": 1, "scale": 1.5] }
}
