// One place for what every file of the module uses. `@testable` is not among it: it holds for its own file only.
@_exported import Foundation
@_exported import NetworkTestSupport
@_exported import Testing
