// The modules that every file of this module uses, and that come with `import NetworkUtilities`.
@_exported public import Foundation
#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
