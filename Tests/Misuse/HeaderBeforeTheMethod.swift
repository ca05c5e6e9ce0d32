// expect: choose a method first
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func headerBeforeTheMethod() {
    _ = URLRequest.build().add(header: .accept(type: .json))
}
