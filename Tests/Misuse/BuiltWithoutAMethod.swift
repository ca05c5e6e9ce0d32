// expect: choose a method first
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func builtWithoutAMethod() {
    _ = URLRequest.build().build()
}
