// expect: give others one by one with add(query:value:)
import Foundation
import NetworkUtilities

func queryOfMixedValues(url: URL, values: [String: Any]) {
    _ = URLRequest.get(url: url).query(values)
}
