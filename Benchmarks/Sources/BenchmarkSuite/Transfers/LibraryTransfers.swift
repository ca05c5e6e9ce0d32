import Foundation
import NetworkClient

/// The transfers with the library, over any transport.
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
        let upload = client.upload(request.decoded(as: Int.self))
        return try await upload.value.item
    }

    private func download(_ target: TransferTarget) async throws -> Int {
        let download = client.download(URLRequest(url: target.url), to: target.file)
        guard try await download.value.item != nil else { throw URLError(.cannotCreateFile) }
        return try target.receivedBytes()
    }

    private func consume(_ target: TransferTarget) async throws -> Int {
        let response = try await client.stream(URLRequest(url: target.url))
        var pace = Pace()
        for try await chunk in response.item {
            let nanoseconds = pace.take(chunk.count)
            if nanoseconds > 0 { try await Task.sleep(nanoseconds: nanoseconds) }
        }
        return pace.bytes
    }
}

/// The transfers with URLSession: a download, an upload from a file, and a delegate that receives chunks.
struct SessionTransfers: Sendable {
    let session = URLSession(configuration: .ephemeral)

    func transfer(_ kind: TransferKind, _ target: TransferTarget) async throws -> Int {
        switch kind {
        case .down: try await download(target)
        case .up: try await upload(target.file, "PUT", "application/octet-stream", target)
        case .multipart: try await uploadForm(target)
        case .slow: try await consume(target)
        }
    }

    private func download(_ target: TransferTarget) async throws -> Int {
        let (location, response) = try await session.download(for: URLRequest(url: target.url))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        try FileManager.default.moveItem(at: location, to: target.file)
        return try target.receivedBytes()
    }

    private func upload(_ file: URL, _ method: String, _ type: String, _ target: TransferTarget) async throws -> Int {
        var request = URLRequest(url: target.url)
        request.httpMethod = method
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        let (data, _) = try await session.upload(for: request, fromFile: file)
        guard let count = Int(String(decoding: data, as: UTF8.self)) else { throw URLError(.badServerResponse) }
        return count
    }

    /// Writes the form to a file first, as other libraries on top of URLSession do with large forms.
    private func uploadForm(_ target: TransferTarget) async throws -> Int {
        let (boundary, form) = ("boundary-\(UUID().uuidString)", target.file.appendingPathExtension("form"))
        defer { try? FileManager.default.removeItem(at: form) }
        let head = """
            --\(boundary)\r
            Content-Disposition: form-data; name="file"; filename="body.bin"\r
            Content-Type: application/octet-stream\r
            \r\n
            """
        guard FileManager.default.createFile(atPath: form.path, contents: Data(head.utf8)) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let (input, output) = (try FileHandle(forReadingFrom: target.file), try FileHandle(forWritingTo: form))
        try output.seekToEnd()
        while let piece = try input.read(upToCount: 256 << 10), !piece.isEmpty { try output.write(contentsOf: piece) }
        try output.write(contentsOf: Data("\r\n--\(boundary)--\r\n".utf8))
        try input.close()
        try output.close()
        return try await upload(form, "POST", "multipart/form-data; boundary=\(boundary)", target)
    }

    private func consume(_ target: TransferTarget) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            // On Linux, only the delegate of a session receives data, not the delegate of a task.
            let delegate = SlowReceiver(continuation)
            let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
            session.dataTask(with: target.url).resume()
            session.finishTasksAndInvalidate()
        }
    }
}

/// A delegate that blocks for each chunk, the only way for a delegate to be slow.
private final class SlowReceiver: NSObject, URLSessionDataDelegate, Sendable {
    private let pace = Locked(Pace())
    private let continuation: CheckedContinuation<Int, any Error>

    init(_ continuation: CheckedContinuation<Int, any Error>) {
        self.continuation = continuation
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let nanoseconds = pace.withLock { $0.take(data.count) }
        usleep(UInt32(clamping: nanoseconds / 1_000))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return continuation.resume(throwing: error) }
        continuation.resume(returning: pace.withLock { $0.bytes })
    }
}
