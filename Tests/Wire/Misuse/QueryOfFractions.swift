// expect: give others one by one with add(query:value:)
import Foundation
import NetworkUtilities

func queryOfFractions(url: URL) {
    _ = URLRequest.get(url: url).query(["scale": 1.5])
}
