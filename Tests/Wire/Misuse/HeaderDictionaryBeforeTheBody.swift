// expect: this step comes too early: the order is method, body, query, headers, build()
import Foundation
import NetworkUtilities

func headerDictionaryBeforeTheBody(url: URL) {
    _ = URLRequest.post(url: url).set(headers: ["X-A": "1"])
}
