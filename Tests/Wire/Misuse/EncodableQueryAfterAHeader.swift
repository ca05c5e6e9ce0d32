// expect: query steps come before the headers: move this call in front of the first header step
import Foundation
import NetworkUtilities

func encodableQueryAfterAHeader(url: URL) throws {
    _ = try URLRequest.build().get(url: url).add(header: .accept(type: .json)).add(queryItems: ["price": 1.5])
}
