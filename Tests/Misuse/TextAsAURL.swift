// expect: a text is given with http: in place of url:
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func textAsAURL() {
    _ = URLRequest.get(url: "https://example.com")
}
