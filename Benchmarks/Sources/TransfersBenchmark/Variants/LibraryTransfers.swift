import BenchmarkHarness
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

extension TransferVariant {
    /// The name of the library with its default transport on Linux.
    public static let curlTransportName = "NetworkClient, CurlTransport"

    /// The name of the library with its default transport on other platforms.
    public static let sessionTransportName = "NetworkClient, URLSessionTransport"

    static let sessionTransport = TransferVariant(sessionTransportName) {
        let transport = URLSessionTransport(session: URLSession(configuration: .ephemeral))
        return library(transport) { transport.shutDown() }
    }

    #if os(Linux)
    static let curlTransport = TransferVariant(curlTransportName) {
        let transport = try CurlTransport()
        return library(transport) { transport.shutDown() }
    }
    #endif

    private static func library(
        _ transport: any Transport,
        end: @escaping @Sendable () -> Void
    ) -> TransferClient {
        let transfers = LibraryTransfers(client: NetworkClient(transport: transport, logging: .off))
        return TransferClient(transfer: transfers.transfer, end: end)
    }
}

/// The pace of a consumer that works on each chunk.
public struct Pace: Sendable {
    static let megabytesPerSecond = 200

    private let start = Clocks.elapsed

    /// The number of bytes consumed.
    public private(set) var bytes = 0

    /// Creates a pace that begins now.
    public init() {}

    /// Consumes a chunk, and returns the nanoseconds that the work on all chunks so far still takes.
    ///
    /// Returns 0 for less than 1 ms, since shorter sleeps are inaccurate.
    public mutating func take(_ count: Int) -> UInt64 {
        bytes += count
        let due = start + UInt64(bytes) * 1_000 / UInt64(Self.megabytesPerSecond)
        let now = Clocks.elapsed
        return due > now + 1_000_000 ? due - now : 0
    }
}
