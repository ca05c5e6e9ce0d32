import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is measured of the library, over whatever transport.
struct LibraryTransfers: Sendable {
    let client: NetworkClient

    func transfer(_ kind: TransferKind, _ target: TransferTarget) async throws -> Int {
        switch kind {
        case .down: try await download(target)
        case .slow: try await consume(target)
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
        let upload: Transfer<NetworkClient.Response<Int>> = client.upload(request: request)
        return try await upload.value.item
    }

    private func download(_ target: TransferTarget) async throws -> Int {
        let download = client.download(request: URLRequest(url: target.url), to: target.file)
        guard let file = try await download.value.item else { throw URLError(.cannotCreateFile) }
        return try file.fileLength()
    }

    private func consume(_ target: TransferTarget) async throws -> Int {
        let response = try await client.stream(request: URLRequest(url: target.url))
        var pace = Pace()
        for try await chunk in response.item {
            let nanoseconds = pace.take(chunk.count)
            if nanoseconds > 0 { try await Task.sleep(nanoseconds: nanoseconds) }
        }
        return pace.bytes
    }
}
