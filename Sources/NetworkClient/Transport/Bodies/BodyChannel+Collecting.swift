import Foundation

extension BodyChannel {
    /// Returns all bytes, or the first `limit` bytes and `isCut` if there are more; the transfer is stopped then.
    ///
    /// With `stopsWhenFull` the transfer is stopped at the limit, without waiting for the end of the body, so that a
    /// body of exactly `limit` bytes counts as cut. `onProgress` is called with the number of bytes after each chunk.
    func collect(
        limit: Int,
        stopsWhenFull: Bool = false,
        onProgress: (Int) -> Void = { _ in }
    ) async throws -> (data: Data, isCut: Bool) {
        var data = Data()
        while let chunk = try await next() {
            let room = max(0, limit - data.count)
            data.append(chunk.prefix(room))
            guard chunk.count < room || chunk.count == room && !stopsWhenFull else {
                cancel()
                return (data, true)
            }
            onProgress(data.count)
        }
        return (data, false)
    }

    /// Returns the first bytes, at most `limit`, and stops the transfer when it has them.
    func prefix(limit: Int) async throws -> Data {
        try await collect(limit: limit, stopsWhenFull: true).data
    }
}
