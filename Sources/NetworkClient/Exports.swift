// With it come Foundation and, where it is a module of its own, FoundationNetworking.
@_exported public import NetworkUtilities
