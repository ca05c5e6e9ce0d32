// This module brings along what a test of a client needs.
@_exported public import NetworkClient
