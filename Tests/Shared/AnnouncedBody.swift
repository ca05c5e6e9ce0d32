import Foundation
@testable import NetworkUtilities

/// A custom body and source that announces a length, and has bytes of another if a test wants it.
struct AnnouncedBody: RequestBody, BodySource {
    let length: Int
    var bytes = Data()
    var mediaType: MediaType? { MediaType("application/x-custom") }

    func makeContent() -> RequestContent { .source(self) }
    func open() -> any BodyReader { DataBodySource(bytes).open() }
}

extension BodySource {
    /// All bytes of one pass, read through a buffer of the given size.
    func bytes(readingBy size: Int = 65_524) throws -> Data {
        let reader = try open()
        defer { reader.close() }
        var result = Data()
        try reader.forEachChunk(of: size) { result.append(contentsOf: $0) }
        return result
    }
}

extension BodyReader {
    /// Reads to the end through one buffer, which is all the memory that it takes.
    func forEachChunk(of size: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer)
            guard count > 0 else { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}

extension RequestContent {
    /// What a server would receive.
    var bytes: Data { get throws { try source.bytes() } }

    /// What a server would receive, as text.
    var text: String { get throws { String(decoding: try bytes, as: UTF8.self) } }

    var isInMemory: Bool { if case .data = storage { true } else { false } }
}

/// Returns the bytes of a stream until it has no more, and the last result: 0 or −1.
func drain(_ stream: InputStream, by size: Int) -> (bytes: Data, end: Int) {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    defer { buffer.deallocate() }
    var result = Data()
    while true {
        let count = stream.read(buffer, maxLength: size)
        guard count > 0 else { return (result, count) }
        result.append(buffer, count: count)
    }
}
