public import Foundation

extension ResponseBody {
    /// All bytes of a body that nobody has begun to read.
    ///
    /// - Parameter limit: The most bytes that there may be; 256 MiB unless told otherwise.
    /// - Returns: The bytes.
    /// - Throws: ``NetworkClient/Error``, with ``TransportError/Reason/bodyTooLarge`` beyond the limit; the transfer is
    ///   stopped then.
    public func data(limit: Int = 256 << 20) async throws -> Data {
        var data = Data()
        for try await chunk in self {
            guard chunk.count <= limit - data.count else {
                let detail = "the body is longer than \(limit) bytes"
                throw NetworkClient.Error.requestError(type: TransportError(.bodyTooLarge, detail: detail))
            }
            data.append(chunk)
        }
        return data
    }

    /// The whole body as text in UTF-8; bytes that are none become `U+FFFD`.
    ///
    /// - Parameter limit: The most bytes that there may be; 256 MiB unless told otherwise.
    /// - Returns: The text, without a byte order mark.
    /// - Throws: As ``data(limit:)``.
    public func text(limit: Int = 256 << 20) async throws -> String {
        String(decoding: try await data(limit: limit).withoutUTF8ByteOrderMark, as: UTF8.self)
    }

    /// A value decoded from the whole body.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: What decodes it; JSON unless told otherwise.
    ///   - limit: The most bytes that there may be; 256 MiB unless told otherwise.
    /// - Returns: The value.
    /// - Throws: As ``data(limit:)``, and ``NetworkClient/Error/decodingError(type:)``.
    public func json<D: Decodable>(
        _ type: D.Type = D.self,
        decoder: any DecoderProtocol = .default,
        limit: Int = 256 << 20
    ) async throws -> D {
        let data = try await data(limit: limit)
        do {
            return try decoder.decode(data: data)
        } catch let error as DecodingError {
            throw NetworkClient.Error.decodingError(type: error)
        }
    }
}
