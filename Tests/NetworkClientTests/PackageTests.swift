import Testing

@testable import NetworkClient
