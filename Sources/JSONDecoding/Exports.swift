// This module brings along Foundation.
@_exported public import NetworkUtilities
