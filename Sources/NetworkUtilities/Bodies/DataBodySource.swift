package import Foundation

/// Bytes in memory as a ``BodySource``.
package struct DataBodySource: BodySource {
    private let data: Data

    /// Holds the bytes without a copy of them.
    package init(_ data: Data) {
        self.data = data
    }

    package var length: Int { data.count }

    package func open() -> any BodyReader {
        Reader(data)
    }
}

extension DataBodySource {
    /// One pass over bytes in memory.
    private final class Reader: BodyReader {
        private var rest: Data

        init(_ data: Data) {
            rest = data
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = rest.copyBytes(to: buffer)
            rest = rest.dropFirst(count)
            return count
        }

        func close() {
            rest = Data()
        }
    }
}
