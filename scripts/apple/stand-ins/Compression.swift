import Foundation

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum FilterOperation: Sendable {
    case compress, decompress
}
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public enum Algorithm: Sendable {
    case lzfse, zlib, lz4, lzma
}
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public class OutputFilter {
    public init(
        _ operation: FilterOperation,
        using algorithm: Algorithm,
        bufferCapacity: Int = 65536,
        writingTo writeCallback: @escaping (Data?) throws -> Void
    ) throws {}
    public func write<D: DataProtocol>(_ data: D?) throws {}
    public func finalize() throws {}
}
