import Testing

@testable import NetworkUtilities
