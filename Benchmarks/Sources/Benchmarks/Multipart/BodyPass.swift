import BenchmarkHarness
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One pass over a file, as a multipart body or as it is, into a buffer of 256 KiB.
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

    /// Makes the request and reads its body to the end.
    ///
    /// - Returns: How many bytes there were.
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

    /// Reads the file with `read(2)` alone.
    ///
    /// - Returns: How many bytes there were.
    func read() throws -> Int {
        let descriptor = Foundation.open(file.url.path, O_RDONLY)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        defer { _ = close(descriptor) }
        return try total { Foundation.read(descriptor, $0, $1) }
    }

    /// Copies as many bytes from one buffer to the other.
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
