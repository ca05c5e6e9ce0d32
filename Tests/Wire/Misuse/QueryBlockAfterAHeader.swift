// expect: query steps come before the headers: move this call in front of the first header step
import Foundation
import NetworkUtilities

func queryBlockAfterAHeader(url: URL) {
    _ = URLRequest.get(url: url).add(header: .accept(type: .json)).query { QueryItem("page", value: 2) }
}
