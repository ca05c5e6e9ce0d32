import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is measured of the library, over whatever transport.
struct LibraryTransfers: Sendable {
    static let kinds: [TransferKind] = [.up, .multipart]

    let client: NetworkClient

    func transfer(_ kind: TransferKind, _ target: TransferTarget) async throws -> Int {
        switch kind {
        case .down, .slow: throw UnexpectedTransfer("the library does not do this")
        case .up: try await send(URLRequest.put(url: target.url).bodyFile(at: target.file).build())
        case .multipart: try await send(form(target))
        }
    }

    private func form(_ target: TransferTarget) throws -> URLRequest {
        try URLRequest.post(url: target.url)
            .bodyMultipart { form in
                try form.add(key: "file", file: MultipartFormFilePart(file: target.file, filename: "body.bin"))
            }
            .build()
    }

    private func send(_ request: URLRequest) async throws -> Int {
        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
        return response.item
    }
}
