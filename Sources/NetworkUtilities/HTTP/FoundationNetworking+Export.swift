#if canImport(FoundationNetworking)
// On Linux `URLRequest` lives in a module that is easily forgotten: the import of this one is enough to begin.
@_exported public import FoundationNetworking
#endif
