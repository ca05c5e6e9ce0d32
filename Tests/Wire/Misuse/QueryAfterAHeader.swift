// expect: query steps come before the headers: move this call in front of the first header step
import Foundation
import NetworkUtilities

func queryAfterAHeader(url: URL) {
    _ = URLRequest.build().get(url: url).add(header: .accept(type: .json)).add(query: "page", value: "1")
}
