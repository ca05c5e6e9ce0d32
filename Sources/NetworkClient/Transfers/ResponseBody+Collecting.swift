public import Foundation
import NetworkUtilities

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

    /// The whole body as text, in the charset that the response names; UTF-8 without one.
    ///
    /// - Parameter limit: The most bytes that there may be; 256 MiB unless told otherwise.
    /// - Returns: The text, without a byte order mark. Bytes that are invalid in UTF-8 become `U+FFFD`.
    /// - Throws: As ``data(limit:)``, and ``NetworkClient/Error/decodingError(type:)`` if the charset is unknown, or
    ///   the bytes are invalid in a charset other than UTF-8.
    public func text(limit: Int = 256 << 20) async throws -> String {
        let data = try await data(limit: limit)
        let contentType = reading.head.value(of: "Content-Type")
        do {
            return try PlainBody(data, contentType: contentType).text()
        } catch let error as DecodingError {
            let charset = contentType.flatMap { MediaType($0).charset } ?? "utf-8"
            if ["utf-8", "utf8"].contains(charset.lowercased()) {
                return String(decoding: data.withoutUTF8ByteOrderMark, as: UTF8.self)
            }
            let error = UndecodableResponse.adding(reading.head.response, data, to: error)
            throw NetworkClient.Error.decodingError(type: error)
        }
    }

    /// A value decoded from the whole body, by the decoder of the call or the client.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - limit: The most bytes that there may be; 256 MiB unless told otherwise.
    /// - Returns: The value.
    /// - Throws: As ``data(limit:)``, and ``NetworkClient/Error/decodingError(type:)``.
    public func json<D: Decodable>(_ type: D.Type = D.self, limit: Int = 256 << 20) async throws -> D {
        try await json(type, decoder: reading.decoder, limit: limit)
    }

    /// A value decoded from the whole body, by another decoder than that of the call.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: What decodes it.
    ///   - limit: The most bytes that there may be; 256 MiB unless told otherwise.
    /// - Returns: The value.
    /// - Throws: As ``data(limit:)``, and ``NetworkClient/Error/decodingError(type:)``.
    public func json<D: Decodable>(
        _ type: D.Type = D.self,
        decoder: any DecoderProtocol,
        limit: Int = 256 << 20
    ) async throws -> D {
        let data = try await data(limit: limit)
        return try NetworkClient.decode(TransportResponse(head: reading.head, body: .whole(data)), with: decoder)
    }
}
