// One place for what every file of the module uses, and what a user's file has by `import NetworkUtilities`.
@_exported public import Foundation
#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
