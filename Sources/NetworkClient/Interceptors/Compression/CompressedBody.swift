/// The compressed bytes of a body, in memory or in a file without a name.
struct CompressedBody {
    /// The bytes, unless a file has them.
    private var data = Data()
    private let file: DiskFile?
    private var length = 0
    /// The length of the plain body, which the compressed one must not reach.
    private let limit: Int

    /// Creates an empty body, in memory if there is no file.
    init(in file: DiskFile?, limit: Int) {
        self.file = file
        self.limit = limit
    }

    /// Compresses a source, and calls `check`, which may throw, before each portion; returns false if the result would
    /// not be shorter.
    ///
    /// Other tasks can run between the portions of a longer body.
    ///
    /// - Throws: ``BodyUnreadable`` for the errors of the source, the errors of `check`, and any error of the encoder
    ///   or the file.
    nonisolated(nonsending) mutating func write(
        _ source: any BodySource,
        _ encoder: BodyEncoder,
        checking check: nonisolated(nonsending) () async throws -> Void
    ) async throws -> Bool {
        let source = CheckedBodySource(source)
        let reader = try BodyUnreadable.wrapping { try source.makeReader() }
        defer { reader.close() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(source.length, BodyEncoder.maxPortion),
            alignment: 1
        )
        defer { buffer.deallocate() }
        while true {
            try await check()
            let count = try BodyUnreadable.wrapping { try reader.read(into: buffer) }
            let portion = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let isLast = reader.isAtEnd
            guard try append(try encoder.encode(portion, isLast: isLast)) else { return false }
            if isLast { return true }
            await Task.yield()
        }
    }

    /// Adds compressed bytes; returns false if they would make the body as long as the plain one.
    private mutating func append(_ bytes: Data) throws -> Bool {
        guard bytes.count < limit - length else { return false }
        if let file {
            try bytes.withUnsafeBytes { try file.write($0, at: length) }
        } else {
            data.append(bytes)
        }
        length += bytes.count
        return true
    }

    /// Makes the bytes the body of a request.
    func fill(_ request: inout URLRequest) {
        guard let file else { return request.httpBody = data }
        request.httpBodyStream = BodyInputStream(source: StoredBody(length: length, file: file))
    }
}

/// The error with which the source of a body failed.
struct BodyUnreadable: Error {
    let underlying: any Error

    static func wrapping<Value>(_ read: () throws -> Value) throws(BodyUnreadable) -> Value {
        do {
            return try read()
        } catch {
            throw BodyUnreadable(underlying: error)
        }
    }
}
