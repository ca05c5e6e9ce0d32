@testable import NetworkUtilities

struct FileBodySourceTests {
    private static let length = 1_000

    /// A way to change a file that is 1,000 bytes long, and what the reader has to say about it.
    enum Change: CaseIterable, Sendable {
        case shrinks, empties, grows, isRewritten, isReplaced, isRemoved

        var actualLength: Int {
            switch self {
            case .shrinks: 999
            case .empties: 0
            case .grows: 1_001
            case .isRewritten, .isReplaced, .isRemoved: 1_000
            }
        }

        func apply(to file: URL) throws {
            switch self {
            case .shrinks, .empties, .grows:
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: UInt64(actualLength))
                try handle.close()
            case .isRewritten:
                let handle = try FileHandle(forWritingTo: file)
                try handle.write(contentsOf: Data(repeating: 1, count: 1_000))
                try handle.close()
                // The clock of a file system may tick slowly; this is the tick.
                let past = Date(timeIntervalSince1970: 1_000_000)
                try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file.path)
            case .isReplaced:
                try Data(repeating: 1, count: 1_000).write(to: file, options: .atomic)
            case .isRemoved:
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    private func source(in directory: TemporaryDirectory) throws -> FileBodySource {
        try FileBodySource(url: directory.file("file", Data(repeating: 0, count: Self.length)))
    }

    @Test(.spec(59), arguments: Change.allCases)
    func aFileThatChangedBeforeItIsReadIsAnError(change: Change) throws {
        let directory = try TemporaryDirectory()
        let source = try source(in: directory)
        try change.apply(to: source.url)
        let error: BodySourceError =
            change == .isRemoved
            ? .fileMissing(url: source.url)
            : .fileChanged(url: source.url, expectedLength: Self.length, actualLength: change.actualLength)
        #expect(throws: error) { try source.bytes() }
    }

    @Test(.spec(59), arguments: Change.allCases)
    func aFileThatChangesWhileItIsReadIsAnError(change: Change) throws {
        let directory = try TemporaryDirectory()
        let source = try source(in: directory)
        let reader = try source.open()
        defer { reader.close() }
        var read = 0
        let readToTheEnd = {
            try reader.forEachChunk(of: 100) { chunk in
                read += chunk.count
                if read == 500 { try change.apply(to: source.url) }
            }
        }
        switch change {
        case .isReplaced, .isRemoved:
            // What was opened is still the file that was announced, to its last byte.
            try readToTheEnd()
            expect(read, Self.length)
        case .shrinks, .empties, .grows, .isRewritten:
            let actual = change.actualLength
            #expect(
                throws: BodySourceError.fileChanged(url: source.url, expectedLength: Self.length, actualLength: actual)
            ) {
                try readToTheEnd()
            }
            #expect(read < Self.length)
        }
    }

    @Test func onlyARegularFileIsABodyAlsoBehindASymbolicLink() throws {
        let directory = try TemporaryDirectory()
        let missing = directory.url.appendingPathComponent("missing")
        let below = try directory.file("file", "x").appendingPathComponent("below")
        let web = try #require(URL(string: "https://h/f"))
        #expect(throws: BodySourceError.notARegularFile(url: directory.url)) { try FileBodySource(url: directory.url) }
        #expect(throws: BodySourceError.fileMissing(url: missing)) { try FileBodySource(url: missing) }
        #expect(throws: BodySourceError.fileMissing(url: below)) { try FileBodySource(url: below) }
        #expect(throws: BodySourceError.notARegularFile(url: web)) { try FileBodySource(url: web) }
        let link = directory.url.appendingPathComponent("link")
        let file = try directory.file("linked", "content")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        expect(try FileBodySource(url: link).bytes(), Data("content".utf8))
    }

    #if os(Linux)
    @Test func aFileBodyLeavesNoDescriptorOpen() throws {
        let directory = try TemporaryDirectory()
        let source = try source(in: directory)
        let path = source.url.path
        for _ in 0..<100 { _ = try source.open() }
        let targets = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        #expect(!targets.contains(path))
    }
    #endif
}
