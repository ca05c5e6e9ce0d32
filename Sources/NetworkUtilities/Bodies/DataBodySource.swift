public import Foundation

/// Bytes in memory as a ``BodySource``.
///
/// For a source of your own that wraps one; elsewhere `RequestContent.data(_:)` is shorter.
public struct DataBodySource: BodySource {
    private let data: Data

    /// Holds the bytes without a copy of them.
    ///
    /// - Parameter data: The bytes.
    public init(_ data: Data) {
        self.data = data
    }

    /// How many bytes there are.
    public var length: Int { data.count }

    /// Opens the bytes at the first one.
    ///
    /// - Returns: A reader, which never fails.
    public func open() -> any BodyReader {
        Reader(data)
    }
}

extension DataBodySource {
    /// One pass over bytes in memory.
    private final class Reader: BodyReader {
        private var data: Data
        private var offset = 0

        init(_ data: Data) {
            self.data = data
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            data.withUnsafeBytes { bytes in
                let rest = bytes[offset...].prefix(buffer.count)
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest))
                offset += rest.count
                return rest.count
            }
        }

        func close() {
            data = Data()
            offset = 0
        }
    }
}
