// expect: a header field with any name is header: .custom(name:
import Foundation
import NetworkUtilities

func headerByItsName(url: URL) {
    _ = URLRequest.get(url: url).set(header: "X-Name", value: "a")
    _ = URLRequest.get(url: url).add(header: "X-Name", value: "a")
}
