// This module brings along Foundation and, where that is a separate module, FoundationNetworking.
@_exported public import NetworkUtilities
