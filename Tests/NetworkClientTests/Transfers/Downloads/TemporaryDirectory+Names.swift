import Foundation
import NetworkTestSupport

extension TemporaryDirectory {
    /// All that is in it, hidden files included.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    /// Waits until it holds nothing but that: what a handle that was dropped leaves is removed by its task.
    func waitForNames(_ expected: [String]) async throws {
        try await withDeadline("the folder to hold \(expected)") {
            while try self.names() != expected { await Task.yield() }
        }
    }
}
