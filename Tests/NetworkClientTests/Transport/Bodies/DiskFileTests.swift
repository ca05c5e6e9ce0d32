import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct DiskFileTests {
    private struct Failure: Error {}

    @Test func aFileIsWrittenAndReadAtAnyPosition() throws {
        let directory = try TemporaryDirectory()
        let url = directory.url.appendingPathComponent("file")
        let file = try DiskFile.new(at: url)
        try Array("world".utf8).withUnsafeBytes { try file.write($0, at: 5) }
        try Array("hello".utf8).withUnsafeBytes { try file.write($0, at: 0) }
        expect(try String(contentsOf: url, encoding: .utf8), "helloworld")
        expect(try file.length(), 10)
        var bytes = [UInt8](repeating: 0, count: 8)
        expect(try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 5) }, 5)
        expect(bytes.prefix(5), Array("world".utf8)[...])
        expect(try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 10) }, 0)
        try file.truncate(to: 2)
        expect(try String(contentsOf: url, encoding: .utf8), "he")
    }

    @Test func aFileIsCreatedOrOpenedAndNeverThroughALink() throws {
        let directory = try TemporaryDirectory()
        let url = try directory.file("file", "old")
        #expect(throws: POSIXError.self) { try DiskFile.new(at: url) }
        expect(try DiskFile.existing(at: url).length(), 3)
        #expect(throws: POSIXError.self) { try DiskFile.existing(at: directory.url.appendingPathComponent("none")) }
        let link = directory.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        #expect(throws: POSIXError.self) { try DiskFile.existing(at: link) }
    }

    @Test func aMovedFileReplacesTheFileWithItsNewName() throws {
        let directory = try TemporaryDirectory()
        let (new, old) = (try directory.file("new", "new"), try directory.file("old", "old"))
        try DiskFile.move(new, to: old)
        expect(try String(contentsOf: old, encoding: .utf8), "new")
        #expect(throws: POSIXError.self) { try DiskFile.move(new, to: old) }
        #expect(throws: POSIXError.self) { try DiskFile.move(old, to: directory.url) }
    }

    @Test func anUnnamedFileCanBeWritten() throws {
        let file = try DiskFile.unnamed()
        try Array("hello".utf8).withUnsafeBytes { try file.write($0, at: 0) }
        expect(try file.length(), 5)
    }

    #if os(Linux)
    @Test func writingToAFullDiskFailsWithENOSPC() throws {
        let file = try DiskFile.existing(at: URL(fileURLWithPath: "/dev/full"))
        let error = #expect(throws: POSIXError.self) { try [1].withUnsafeBytes { try file.write($0, at: 0) } }
        expect(error?.code, .ENOSPC)
        #expect(throws: POSIXError.self) { try file.length() }
    }
    #endif

    @Test func aPathOfAFileWithNULIsRefused() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: POSIXError.self) { try DiskFile.node(at: directory.url.path + "\0/x") }
    }

    /// Each blocks its thread until the others run, which they could not on the threads of the tasks.
    @Test func workThatBlocksHoldsUpNoTask() async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount + 1
        let arrived = AwaitableValue(0)
        let mayEnd = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await DiskFile.offThread {
                        arrived.update { $0 += 1 }
                        return mayEnd.wait(timeout: .now() + 120) == .success
                    }
                }
            }
            try await arrived.wait { $0 == count ? () : nil }
            for _ in 0..<count { mayEnd.signal() }
            for try await isInTime in group { #expect(isInTime) }
        }
    }

    /// The lock of systems that end an app which holds one of theirs; the others have both.
    @Test func aFileIsLockedOnceAtATimeInTheProcess() throws {
        var first = PathClaim("/a")
        #expect(first != nil && PathClaim("/a") == nil && PathClaim("/b") != nil)
        first = nil
        #expect(PathClaim("/a") != nil)
        let folder = try TemporaryDirectory()
        let file = folder.url.appendingPathComponent("f")
        try withExtendedLifetime(try DiskFile.lockedOwn(at: file)) {
            expect(try DiskFile.lockedOwn(at: file) == nil, true)
        }
        expect(try DiskFile.lockedOwn(at: file) == nil, false)
    }

    @Test func anErrorOfTheWorkOffTheThreadIsThrown() async throws {
        await #expect(throws: Failure.self) { try await DiskFile.offThread { throw Failure() } }
    }
}
