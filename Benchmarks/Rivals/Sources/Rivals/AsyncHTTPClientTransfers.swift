import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NetworkUtilities
import TransfersBenchmark

/// The transfers with AsyncHTTPClient.
struct AsyncHTTPClientTransfers: Sendable {
    let client: HTTPClient

    func transfer(_ kind: TransferKind, _ target: TransferTarget) async throws -> Int {
        switch kind {
        case .down: try await download(target)
        case .up: try await upload(target)
        case .multipart: try await uploadForm(target)
        case .slow: try await consume(target)
        }
    }

    private func download(_ target: TransferTarget) async throws -> Int {
        guard FileManager.default.createFile(atPath: target.file.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let file = try FileHandle(forWritingTo: target.file)
        for try await buffer in try await execute(HTTPClientRequest(url: target.url.absoluteString)) {
            try file.write(contentsOf: Data(buffer: buffer, byteTransferStrategy: .noCopy))
        }
        try file.close()
        return try target.file.fileLength()
    }

    private func consume(_ target: TransferTarget) async throws -> Int {
        var pace = Pace()
        for try await buffer in try await execute(HTTPClientRequest(url: target.url.absoluteString)) {
            let nanoseconds = pace.take(buffer.readableBytes)
            if nanoseconds > 0 { try await Task.sleep(nanoseconds: nanoseconds) }
        }
        return pace.bytes
    }

    private func upload(_ target: TransferTarget) async throws -> Int {
        var request = HTTPClientRequest(url: target.url.absoluteString)
        request.method = .PUT
        let chunks = FileChunks(target.file)
        request.body = .stream(chunks, length: .known(Int64(target.bytes)))
        return try await send(request)
    }

    /// Sends a form with handwritten framing, since AsyncHTTPClient has no forms.
    private func uploadForm(_ target: TransferTarget) async throws -> Int {
        let boundary = "boundary-\(UUID().uuidString)"
        let head = """
            --\(boundary)\r
            Content-Disposition: form-data; name="file"; filename="body.bin"\r
            Content-Type: application/octet-stream\r
            \r\n
            """
        let tail = "\r\n--\(boundary)--\r\n"
        var request = HTTPClientRequest(url: target.url.absoluteString)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "multipart/form-data; boundary=\(boundary)")
        let length = head.utf8.count + target.bytes + tail.utf8.count
        let chunks = FileChunks(target.file, head: head, tail: tail)
        request.body = .stream(chunks, length: .known(Int64(length)))
        return try await send(request)
    }

    private func send(_ request: HTTPClientRequest) async throws -> Int {
        let body = try await execute(request).collect(upTo: 1_024)
        guard let count = Int(String(buffer: body)) else { throw URLError(.badServerResponse) }
        return count
    }

    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse.Body {
        let response = try await client.execute(request, timeout: .seconds(600))
        guard response.status == .ok else { throw URLError(.badServerResponse) }
        return response.body
    }
}
