// expect: query steps come before the headers: move this call in front of the first header step
import Foundation
import NetworkUtilities

private enum Order: String { case ascending }

func enumQueryAfterAHeader(url: URL) {
    _ = URLRequest.build().get(url: url).add(header: .accept(type: .json)).add(query: "by", value: Order.ascending)
}
