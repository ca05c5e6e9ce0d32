import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Puts a body together in memory, and says how far it is.
struct CollectedBody: BodyTaker {
    let board: ProgressBoard
    /// Bytes.
    let limit: Int

    /// As without progress.
    var errorLimit: Int { limit }

    func prepare(_ request: URLRequest) -> URLRequest { request }

    func accepts(_ head: ResponseHead) -> Bool { false }

    func take(
        _ answer: TransportResponse,
        to request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        board.begin(total: answer.head.bodyLength(of: request))
        let channel = answer.body.channel
        var data = Data()
        while let chunk = try await channel.next() {
            guard chunk.count <= limit - data.count else {
                channel.cancel()
                throw TransportError(tooLargeBody: limit, request: request)
            }
            data.append(chunk)
            board.advance(to: data.count)
        }
        return TransportResponse(head: answer.head, body: .whole(data))
    }
}
