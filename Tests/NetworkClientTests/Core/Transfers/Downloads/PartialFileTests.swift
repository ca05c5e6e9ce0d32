import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The files that downloads write and replace.
struct PartialFileTests {
    private static func permissions(_ url: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    @Test(.spec(193), arguments: TransportUnderTest.all, [0o600, 0o640, 0o444, 0o755, 0o666])
    func aDownloadKeepsThePermissionsOfTheFileItReplaces(transport: TransportUnderTest, permissions: Int) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", "old")
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
        let mayEnd = Gate()
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nn"), .wait(mayEnd), .send("ew")]
        }
        let download = try transport.client().download(URLRequest(url: server.url), to: file)
        var iterator = download.progress.makeAsyncIterator()
        _ = await iterator.next()
        let partial = try #require(try directory.names().first { $0 != "file.bin" })
        expect(try Self.permissions(directory.url.appendingPathComponent(partial)), 0o600)
        mayEnd.open()
        _ = try await download.value
        expect(try Data(contentsOf: file), Data("new".utf8))
        expect(try Self.permissions(file), permissions)
    }

    /// The partial file was created when there was no file to be replaced.
    @Test(.spec(193)) func aResumedDownloadIsAsPrivateAsTheFileItReplaces() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let (isAsked, mayEnd) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            let fields: WireFields = ["ETag": "\"1\"", "Content-Range": "bytes 5-9/10"]
            return request.value(forHeader: "Range") == nil
                ? [.respond(headers: ["ETag": "\"1\""], length: .stated(10), body: "hello"), .closeWrite]
                : [.open(isAsked), .wait(mayEnd), .respond(status: 206, headers: fields, body: "world")]
        }
        let client = NetworkClient(logging: .off)
        let first = client.download(URLRequest(url: server.url), to: file, isResumable: true)
        await #expect(throws: NetworkClient.Error.self) { try await first.value }
        let token = try #require(first.resumeToken)
        _ = try directory.file("file.bin", "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let second = client.download(URLRequest(url: server.url), to: file, resuming: token)
        try await withDeadline { try await isAsked.wait() }
        expect(try Self.permissions(directory.url.appendingPathComponent(token.partialFileName)), 0o600)
        mayEnd.open()
        _ = try await second.value
        expect(try Self.permissions(file), 0o600)
        expect(try Data(contentsOf: file), Data("helloworld".utf8))
    }

    @Test(.spec(193), arguments: TransportUnderTest.all, ["file.bin", "folder/../file.bin", "/", "none"])
    func aDownloadFollowsSymbolicLinksToTheirTarget(transport: TransportUnderTest, target: String) async throws {
        let directory = try TemporaryDirectory()
        let place = directory.url.appendingPathComponent("place")
        let folder = place.appendingPathComponent("folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = target == "none" ? "none" : "file.bin"
        let file = place.appendingPathComponent(name)
        if target != "none" { try Data("old".utf8).write(to: file) }
        let inner = place.appendingPathComponent("inner")
        let link = directory.url.appendingPathComponent("link")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: inner.path, withDestinationPath: target == "/" ? file.path : target)
        try manager.createSymbolicLink(atPath: link.path, withDestinationPath: "place/inner")
        let server = try LoopbackServer { _ in .respond(body: "new") }
        let response = try await transport.client().download(URLRequest(url: server.url), to: link).value
        expect(response.item, link)
        expect(try Data(contentsOf: file), Data("new".utf8))
        expect(try manager.destinationOfSymbolicLink(atPath: link.path), "place/inner")
        expect(try directory.names(), ["link", "place"])
        expect(try manager.contentsOfDirectory(atPath: place.path).sorted(), [name, "folder", "inner"].sorted())
    }

    @Test(.spec(193, 168), arguments: TransportUnderTest.all)
    func aDownloadThroughASymbolicLinkCanBeResumed(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.url.appendingPathComponent("folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let link = directory.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "folder/file.bin")
        let content = [UInt8](repeating: 7, count: 200_000)
        let server = try ResourceServer { .init(content: content, breaksAfter: $0 == 0 ? 100_000 : nil) }
        let client = try transport.client()
        let first = client.download(URLRequest(url: server.url), to: link, isResumable: true)
        await #expect(throws: NetworkClient.Error.self) { try await first.value }
        let token = try #require(first.resumeToken)
        _ = try await client.download(URLRequest(url: server.url), to: link, resuming: token).value
        expect(server.ranges, ["none", "bytes=100000-"])
        expect(try Data(contentsOf: folder.appendingPathComponent("file.bin")), Data(content))
        expect(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["file.bin"])
    }

    @Test(.spec(193)) func aDownloadRefusesWhatIsNotARegularFileBeforeAnythingIsSent() async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = NetworkClient(logging: .off)
        let pipe = directory.url.appendingPathComponent("pipe")
        expect(mkfifo(pipe.path, 0o600), 0)
        let links = [("device", "/dev/null"), ("folder", "."), ("to-pipe", "pipe"), ("loop", "loop")]
        for (name, target) in links {
            let link = directory.url.appendingPathComponent(name).path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        }
        let names = try directory.names()
        let special = "the destination is a device, a pipe or a socket"
        let folder = "the destination is a folder"
        let places = [
            (url("file:///dev/null"), special), (pipe, special),
            (directory.url.appendingPathComponent("device"), special), (directory.url, folder),
            (directory.url.appendingPathComponent("to-pipe"), special),
            (directory.url.appendingPathComponent("folder"), folder),
            (directory.url.appendingPathComponent("loop"), "the destination leads through too many symbolic links"),
            (url("https://example.com/file.bin"), "the destination is not a file URL"),
            (url("file:///tmp/a%FFb"), "the destination has no path"),
        ]
        for (place, detail) in places {
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await client.download(URLRequest(url: server.url), to: place, isResumable: true).value
            }
            expect(error?.reason, .fileNotWritten, "\(place)")
            expect(error?.errorDescription, "The request failed: \(detail).", "\(place)")
        }
        expect(server.requestCount, 0)
        expect(try directory.names(), names)
    }

    /// As many as Linux follows.
    @Test func fortySymbolicLinksAreFollowedAndNoMore() throws {
        let directory = try TemporaryDirectory()
        let places = (0...41).map { directory.url.appendingPathComponent("\($0)") }
        for (link, target) in zip(places.dropFirst(), places) {
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        }
        expect(try DownloadDestination(places[40]).url.lastPathComponent, "0")
        #expect(throws: TransportError.self) { try DownloadDestination(places[41]) }
    }

    @Test(.spec(193), arguments: TransportUnderTest.all)
    func aCompleteFileThatCannotBeMovedIntoPlaceCanBeResumed(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let mayEnd = Gate()
        let server = try LoopbackServer { request in
            guard request.value(forHeader: "Range") == nil else {
                return .respond(status: 416, headers: ["Content-Range": "bytes */10"])
            }
            let half = Script.respond(headers: ["ETag": "\"1\""], length: .stated(10), body: "hello")
            return [half, .wait(mayEnd), .send("world")]
        }
        let client = try transport.client()
        let first = client.download(URLRequest(url: server.url), to: file, isResumable: true)
        var iterator = first.progress.makeAsyncIterator()
        _ = await iterator.next()
        // A folder with the name of the destination appears during the download.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        mayEnd.open()
        let error = await #expect(throws: NetworkClient.Error.self) { try await first.value }
        expect(error?.reason, .fileNotWritten)
        let token = try #require(first.resumeToken)
        try FileManager.default.removeItem(at: file)
        let second = client.download(URLRequest(url: server.url), to: file, resuming: token)
        expect(try await second.value.item, file)
        expect(try Data(contentsOf: file), Data("helloworld".utf8))
        expect(server.requests.map { $0.value(forHeader: "Range") }, [nil, "bytes=10-"])
        expect(try directory.names(), ["file.bin"])
    }

    @Test(arguments: TransportUnderTest.all)
    func bytesOfAFailedWriteNeverReachTheDestination(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let mayEnd = Gate()
        let server = try LoopbackServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nn"), .wait(mayEnd), .send("ew")]
        }
        let download = try transport.client().download(URLRequest(url: server.url), to: file)
        var iterator = download.progress.makeAsyncIterator()
        _ = await iterator.next()
        let partial = directory.url.appendingPathComponent(try #require(try directory.names().first))
        // Like the bytes of a write that fails half-way.
        let handle = try FileHandle(forWritingTo: partial)
        handle.seek(toFileOffset: 3)
        handle.write(Data("stray".utf8))
        try handle.close()
        mayEnd.open()
        _ = try await download.value
        expect(try Data(contentsOf: file), Data("new".utf8))
    }

    #if os(Linux)
    /// Runs in a separate process, in which no file may be longer than 4 MiB.
    @Test func aDownloadToAFullDiskIsAnErrorAndLeavesTheOldFile() async throws {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let file = try directory.file("file.bin", "old")
            let content = [UInt8](repeating: 7, count: 10_000_000)
            let server = try ResourceServer { _ in .init(content: content) }
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            var limit = rlimit()
            expect(getrlimit(resource, &limit), 0)
            limit.rlim_cur = 4 << 20
            expect(setrlimit(resource, &limit), 0)
            let client = NetworkClient(logging: .off)
            for isResumable in [false, true] {
                let request = URLRequest(url: server.url)
                let download = client.download(request, to: file, isResumable: isResumable)
                let error = await #expect(throws: NetworkClient.Error.self) { try await download.value }
                expect(error?.reason, .fileNotWritten)
                expect(try Data(contentsOf: file), Data("old".utf8))
                guard let token = download.resumeToken else {
                    expectAll(try (isResumable, directory.names()), (false, ["file.bin"]))
                    continue
                }
                limit.rlim_cur = limit.rlim_max
                expect(setrlimit(resource, &limit), 0)
                _ = try await client.download(request, to: file, resuming: token).value
                expect(try Data(contentsOf: file), Data(content))
                expect(try directory.names(), ["file.bin"])
            }
        }
    }
    #endif
}
