import Foundation

extension BodyChannel {
    /// All bytes, or the first ones if there are more than the limit; then the transfer is stopped.
    ///
    /// - Parameter limit: Bytes.
    /// - Returns: The bytes, and whether there were more.
    /// - Throws: What reading throws.
    func collect(limit: Int) async throws -> (data: Data, isCut: Bool) {
        var data = Data()
        while let chunk = try await next() {
            let room = max(0, limit - data.count)
            data.append(chunk.prefix(room))
            guard chunk.count <= room else {
                cancel()
                return (data, true)
            }
        }
        return (data, false)
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
