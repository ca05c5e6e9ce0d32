// expect: a dictionary of several types is query(["page": 1, "name": "x"]) if all values have a text
import Foundation
import NetworkUtilities

func queryOfFractions(url: URL) {
    _ = URLRequest.get(url: url).query(["scale": 1.5])
}
