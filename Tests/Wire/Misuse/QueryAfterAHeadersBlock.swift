// expect: query steps come before the headers: move this call in front of the first header step
import Foundation
import NetworkUtilities

func queryAfterAHeadersBlock(url: URL) {
    _ = URLRequest.get(url: url).headers { HeaderField.accept(type: .json) }.add(query: "page", value: "1")
}
