// expect: a dictionary of several types is query(["page": 1, "name": "x"]) if all values have a text
import Foundation
import NetworkUtilities

func queryOfMixedValues(url: URL, values: [String: Any]) {
    _ = URLRequest.get(url: url).query(values)
}
