@_exported public import NetworkUtilities

// Whoever sends requests describes them too: one import has both.
