// expect: choose a method first
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func headersBlockBeforeTheMethod() {
    _ = URLRequest.build().headers { HeaderField.accept(type: .json) }
}
