import Foundation
import NetworkTestSupport

extension TemporaryDirectory {
    /// The names of all files in the folder, hidden files included.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    /// Waits until the folder contains only these names: a task removes the file of a released handle.
    func waitForNames(_ expected: [String]) async throws {
        try await withDeadline("the folder to hold \(expected)") {
            while try self.names() != expected { await Task.yield() }
        }
    }
}
