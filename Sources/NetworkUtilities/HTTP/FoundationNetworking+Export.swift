#if canImport(FoundationNetworking)
// On Linux, `URLRequest` is declared in FoundationNetworking. Users of this module need not import that module too.
@_exported public import FoundationNetworking
#endif
