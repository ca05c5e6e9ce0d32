public import Foundation

extension URL {
    /// How long a file is.
    ///
    /// - Returns: Bytes.
    /// - Throws: What the file system throws.
    public func fileLength() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let size = attributes[.size] as? NSNumber else { throw CocoaError(.fileReadUnknown) }
        return size.intValue
    }
}
