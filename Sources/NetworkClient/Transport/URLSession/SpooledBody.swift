import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of a sequence, gathered in a file before its request is sent: a stream must not make URLSession wait.
struct SpooledBody: BodySource {
    let length: Int
    private let file: DiskFile
    private let onRead: (@Sendable (Int) -> Void)?

    /// Gathers the body of a request that is a sequence.
    ///
    /// - Throws: ``TransportError/Reason/bodyNotReplayable`` for a sequence that was sent before, and what keeps it
    ///   from being read to its end.
    init(_ stream: SequenceInputStream, of request: URLRequest, within total: TimeInterval?) async throws {
        guard let reader = stream.body.claim(length: request.statedLength) else {
            throw TransportError(.bodyNotReplayable, request: request)
        }
        let file: DiskFile
        do {
            file = try DiskFile.unnamed()
        } catch {
            throw TransportError(unreadableBody: error, request: request)
        }
        let end = Locked(0)
        try await reader.drain(for: request, within: total) { bytes in
            let start = end.withLock { end in
                defer { end += bytes.count }
                return end
            }
            try file.write(bytes, at: start)
        }
        self.file = file
        length = end.withLock { $0 }
        onRead = stream.body.onRead
    }

    func open() -> any BodyReader {
        Reader(file, onRead)
    }

    /// One pass over the file.
    private final class Reader: BodyReader {
        private let file: DiskFile
        private let onRead: (@Sendable (Int) -> Void)?
        private var offset = 0

        init(_ file: DiskFile, _ onRead: (@Sendable (Int) -> Void)?) {
            self.file = file
            self.onRead = onRead
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let count = try file.read(into: buffer, at: offset)
            offset += count
            if count > 0 { onRead?(offset) }
            return count
        }

        func close() {}
    }
}
