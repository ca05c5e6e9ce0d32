// expect: a body step is not possible here: the order is method, body, query, headers, build()
import Foundation
import NetworkUtilities

func getWithFormPairs(url: URL) {
    _ = URLRequest.get(url: url).bodyForm(pairs: ["a": "b"])
}
