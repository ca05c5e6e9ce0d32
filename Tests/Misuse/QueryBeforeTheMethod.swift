// expect: choose a method first
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func queryBeforeTheMethod() {
    _ = URLRequest.build().add(query: "page", value: "1")
}
