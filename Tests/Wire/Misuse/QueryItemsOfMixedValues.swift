// expect: a dictionary of several types is query(["page": 1, "name": "x"]) if all values have a text
import Foundation
import NetworkUtilities

func queryItemsOfMixedValues(url: URL) {
    _ = URLRequest.get(url: url).add(queryItems: ["page": 1, "name": "x"])
}
