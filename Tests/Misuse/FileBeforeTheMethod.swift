// expect: choose a method first
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func fileBeforeTheMethod(url: URL) throws {
    _ = try URLRequest.build().bodyFile(at: url)
}
