// expect: a query step is not possible here: the order is method, body, query, headers, build()
import Foundation
import NetworkUtilities

func queryBlockBeforeTheMethod() {
    _ = URLRequest.build().query { QueryItem("page", value: 2) }
}
