// expect: query steps come before the headers: move this call in front of the first header step
import Foundation
import NetworkUtilities

func arrayQueryAfterAHeader(url: URL) {
    _ = URLRequest.build().get(url: url).add(header: .accept(type: .json))
        .set(query: "tag", value: ["a", "b"], arrays: .brackets)
}
