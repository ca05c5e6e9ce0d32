import BenchmarkHarness
import Foundation
import NetworkUtilities

/// One pass over a file into a buffer of 256 KiB, as a multipart body or directly.
struct BodyPass: Sendable {
    let file: BodyFile
    private let buffer = Locked([UInt8](repeating: 1, count: 256 << 10))
    private let source = [UInt8](repeating: 2, count: 256 << 10)
    private let endpoint: URL

    init(_ file: BodyFile) throws {
        guard let endpoint = URL(string: "https://upload.example.com/files") else { throw URLError(.badURL) }
        self.file = file
        self.endpoint = endpoint
    }

    /// Makes the request, reads its body to the end, and returns the number of bytes.
    func body() throws -> Int {
        let request = try URLRequest.post(url: endpoint)
            .bodyMultipart { form in
                form.add(key: "description", value: "a file")
                try form.add(key: "file", file: MultipartFormFilePart(file: file.url))
            }
            .build()
        guard let stream = request.httpBodyStream else { throw URLError(.cannotDecodeRawData) }
        stream.open()
        defer { stream.close() }
        return try total { stream.read($0, maxLength: $1) }
    }

    /// Reads the file with `read(2)` and returns the number of bytes.
    func read() throws -> Int {
        let descriptor = Foundation.open(file.url.path, O_RDONLY)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        defer { _ = close(descriptor) }
        return try total { Foundation.read(descriptor, $0, $1) }
    }

    /// Copies as many bytes as the file has from one buffer to another.
    func copy() {
        buffer.withLock { buffer in
            for _ in 0..<(file.bytes / buffer.count) { Kept.copy(source, into: &buffer) }
        }
    }

    private func total(_ read: (UnsafeMutablePointer<UInt8>, Int) -> Int) throws -> Int {
        try buffer.withLock { buffer in
            try buffer.withUnsafeMutableBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                var total = 0
                while true {
                    let count = read(start, buffer.count)
                    guard count >= 0 else { throw CocoaError(.fileReadUnknown) }
                    guard count > 0 else { return total }
                    total += count
                }
            }
        }
    }
}

/// A file to send, in a separate folder that is removed with the file.
struct BodyFile: Sendable {
    let url: URL
    let bytes: Int

    private var folder: URL { url.deletingLastPathComponent() }

    /// Creates a file; a sparse one takes no disk space, and each read returns the same page of zeroes.
    init(bytes: Int, isSparse: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.bytes = bytes
        url = folder.appendingPathComponent("body.bin")
        do {
            try isSparse ? FilledFile.writeSparse(bytes, to: url) : FilledFile.write(bytes, to: url)
        } catch {
            remove()
            throw error
        }
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns whether a file leaves as much of the disk free again, and its pages fit into half of the memory.
    static func fits(_ bytes: Int) -> Bool {
        let folder = FileManager.default.temporaryDirectory.path
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        let free = (facts?[.systemFreeSize] as? NSNumber)?.intValue ?? 0
        return free / 2 > bytes && Int(ProcessInfo.processInfo.physicalMemory / 2) > bytes
    }
}
