import Foundation
import NetworkClient
import NetworkUtilities

/// The transfers, written with the library.
struct TransferExamples: Sendable {
    let client: NetworkClient

    /// Downloads a file, and resumes once if the connection is lost.
    func download(_ url: URL, to file: URL) async throws {
        let request = URLRequest.get(url: url).build()
        let download = client.download(request: request, to: file, isResumable: true)
        do {
            try await show(download)
        } catch NetworkClient.Error.requestError(let error) where error.reason == .connectionLost {
            guard let token = download.resumeToken else { throw error }
            print("  The connection was lost; requesting the remaining bytes.")
            try await show(client.download(request: request, to: file, resuming: token))
        }
    }

    private func show(_ download: Download) async throws {
        var bar = ProgressBar("  down")
        for await progress in download.progress { bar.show(progress) }
        bar.end()
        let response = try await download.value
        let file = response.item.map { "saved as \($0.lastPathComponent)" } ?? "nothing saved"
        print("  \(response.statusCode), \(file)")
    }

    /// Uploads a file, which is read while it is being sent.
    func upload(_ file: URL, to url: URL) async throws {
        let request = try URLRequest.put(url: url).bodyFile(at: file).build()
        let upload: Transfer<NetworkClient.Response<String>> = client.upload(request: request)
        var bar = ProgressBar("  up  ")
        for await progress in upload.progress { bar.show(progress) }
        bar.end()
        let response = try await upload.value
        print("  \(response.statusCode): \(response.item)")
    }

    /// Prints the lines of a response as they arrive.
    func stream(_ url: URL) async throws {
        let response = try await client.stream(request: URLRequest.get(url: url).build())
        for try await line in response.item.lines { print("  \(line)") }
    }
}
