import Foundation

extension BodyChannel {
    /// All bytes, if there are no more than that; the rest is stopped otherwise.
    ///
    /// - Parameter limit: Bytes.
    /// - Returns: The bytes; nil if there are more.
    /// - Throws: What reading throws.
    func collect(limit: Int) async throws -> Data? {
        var data = Data()
        while let chunk = try await next() {
            guard chunk.count <= limit - data.count else {
                cancel()
                return nil
            }
            data.append(chunk)
        }
        return data
    }

    /// The first bytes, of which there are no more than that; the rest is stopped.
    func prefix(limit: Int) async throws -> Data {
        var data = Data()
        while let chunk = try await next() {
            data.append(chunk.prefix(max(0, limit - data.count)))
            guard data.count < limit else {
                cancel()
                break
            }
        }
        return data
    }
}
