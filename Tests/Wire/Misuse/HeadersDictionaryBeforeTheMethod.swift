// expect: this step comes too early: the order is method, body, query, headers, build()
// expect: Choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:
import Foundation
import NetworkUtilities

func headersDictionaryBeforeTheMethod() {
    _ = URLRequest.build().headers(["Accept": "text/plain"])
}
