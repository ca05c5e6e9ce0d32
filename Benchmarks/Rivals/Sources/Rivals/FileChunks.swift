import Foundation
import NIOCore

/// A file in chunks of 256 KiB, with a text before it and after it.
struct FileChunks: AsyncSequence, Sendable {
    private let file: URL
    private let head: String
    private let tail: String

    init(_ file: URL, head: String = "", tail: String = "") {
        self.file = file
        self.head = head
        self.tail = tail
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(file: try? FileHandle(forReadingFrom: file), head: head, tail: tail)
    }
}

extension FileChunks {
    struct Iterator: AsyncIteratorProtocol {
        private let file: FileHandle?
        private var buffer = ByteBufferAllocator().buffer(capacity: 256 << 10)
        private var head: String?
        private var tail: String?

        init(file: FileHandle?, head: String, tail: String) {
            self.file = file
            self.head = head.isEmpty ? nil : head
            self.tail = tail.isEmpty ? nil : tail
        }

        mutating func next() throws -> ByteBuffer? {
            if let head = take(&head) { return head }
            guard let file else { throw CocoaError(.fileReadUnknown) }
            // Reuses the memory once the client has released it.
            buffer.clear()
            let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 256 << 10) { bytes in
                let count = read(file.fileDescriptor, bytes.baseAddress, bytes.count)
                guard count >= 0 else { throw CocoaError(.fileReadUnknown) }
                return count
            }
            return count > 0 ? buffer : take(&tail)
        }

        private func take(_ text: inout String?) -> ByteBuffer? {
            defer { text = nil }
            return text.map { ByteBuffer(string: $0) }
        }
    }
}
