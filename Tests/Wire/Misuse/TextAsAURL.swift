// expect: a text is given with http: in place of url:
import Foundation
import NetworkUtilities

func textAsAURL() {
    _ = URLRequest.get(url: "https://example.com")
}
