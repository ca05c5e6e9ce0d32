import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Downloads that are interrupted and continued.
struct DownloadResumptionTests {
    private static let content = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    private static let other = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 17 >> 2) })

    private func download(
        _ transport: TransportUnderTest,
        _ behaviour: @escaping @Sendable (Int) -> ResourceServer.Behaviour
    ) async throws -> (data: Data, ranges: [String], progress: [TransferProgress]) {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try ResourceServer(behaviour)
        let client = try transport.client(interceptors: [PersistentInterceptor()])
        let download = client.download(URLRequest(url: server.url), to: file)
        var seen: [TransferProgress] = []
        for await progress in download.progress { seen.append(progress) }
        let response = try await download.value
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
        expect(names, ["file.bin"])
        return (try Data(contentsOf: try #require(response.item)), server.ranges, seen)
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func theNextAttemptOfADownloadRequestsTheRemainingBytes(transport: TransportUnderTest) async throws {
        let result = try await download(transport) { index in
            .init(content: Self.content, breaksAfter: index < 2 ? 100_000 : nil)
        }
        expect(result.data, Data(Self.content))
        expect(result.ranges, ["none", "bytes=100000-", "bytes=200000-"])
        expect(result.progress.last?.fraction, 1)
        expect(result.progress.map(\.completed), result.progress.map(\.completed).sorted())
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aDownloadIsResumedByTheDateIfThereIsNoTag(transport: TransportUnderTest) async throws {
        let fields: WireFields = [
            "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:37 GMT",
        ]
        let result = try await download(transport) { index in
            .init(content: Self.content, fields: fields, breaksAfter: index == 0 ? 100_000 : nil)
        }
        expect(result.data, Data(Self.content))
        expect(result.ranges, ["none", "bytes=100000-"])
    }

    /// Header fields without a strong validator.
    private static let weakFields: [WireFields] = [
        [:], ["ETag": "W/\"1\""], ["ETag": "1"], ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
        ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
    ]

    @Test(.spec(137), arguments: TransportUnderTest.all, weakFields)
    func aDownloadBeginsAgainWithoutAStrongValidator(transport: TransportUnderTest, fields: WireFields) async throws {
        let result = try await download(transport) { index in
            .init(content: Self.content, fields: fields, breaksAfter: index == 0 ? 100_000 : nil)
        }
        expect(result.data, Data(Self.content))
        expect(result.ranges, ["none", "none"])
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aDownloadBeginsAgainIfTheServerSupportsNoRanges(transport: TransportUnderTest) async throws {
        let result = try await download(transport) { index in
            .init(content: Self.content, breaksAfter: index == 0 ? 100_000 : nil, knowsRanges: false)
        }
        expect(result.data, Data(Self.content))
        expect(result.ranges, ["none", "bytes=100000-"])
        expect(result.progress.map(\.completed), result.progress.map(\.completed).sorted())
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aDownloadBeginsAgainIfTheResourceHasChanged(transport: TransportUnderTest) async throws {
        let result = try await download(transport) { index in
            guard index == 0 else { return .init(content: Self.other, fields: ["ETag": "\"2\""]) }
            return .init(content: Self.content, breaksAfter: 100_000)
        }
        expect(result.data, Data(Self.other))
        expect(result.ranges, ["none", "bytes=100000-"])
    }

    /// Responses to `Range: bytes=100000-` that do not continue the received bytes.
    private static let strangeParts: [(String, WireFields)] = [
        ("another state", ["ETag": "\"2\"", "Content-Range": "bytes 100000-299999/300000"]),
        ("a gap", ["ETag": "\"1\"", "Content-Range": "bytes 100001-299999/300000"]),
        ("another length", ["ETag": "\"1\"", "Content-Range": "bytes 100000-299999/300001"]),
        ("no place", ["ETag": "\"1\""]),
        ("nonsense", ["ETag": "\"1\"", "Content-Range": "bytes 9-1/x"]),
        ("several parts", ["ETag": "\"1\"", "Content-Type": "multipart/byteranges; boundary=x"]),
        ("another coding", ["ETag": "\"1\"", "Content-Range": "bytes 100000-299999/300000", "Content-Encoding": "br"]),
    ]

    @Test(.spec(137), arguments: TransportUnderTest.all, strangeParts.indices)
    func aDownloadBeginsAgainAfterAPartThatDoesNotFit(transport: TransportUnderTest, index: Int) async throws {
        let (name, fields) = Self.strangeParts[index]
        let result = try await download(transport) { index in
            .init(
                content: Self.content,
                breaksAfter: index == 0 ? 100_000 : nil,
                partial: { _ in .respond(status: 206, headers: fields, body: Array(Self.content[100_000...])) }
            )
        }
        expect(result.data, Data(Self.content), "\(name)")
        expect(result.ranges, ["none", "bytes=100000-", "none"], "\(name)")
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aDownloadAcceptsAPartThatOverlaps(transport: TransportUnderTest) async throws {
        let result = try await download(transport) { index in
            .init(
                content: Self.content,
                breaksAfter: index == 0 ? 100_000 : nil,
                partial: { _ in
                    let fields: WireFields = ["ETag": "\"1\"", "Content-Range": "bytes 50000-299999/300000"]
                    return .respond(status: 206, headers: fields, body: Array(Self.content[50_000...]))
                }
            )
        }
        expect(result.data, Data(Self.content))
        expect(result.ranges, ["none", "bytes=100000-"])
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aDownloadRequestsTheRestOfAShortPart(transport: TransportUnderTest) async throws {
        let result = try await download(transport) { index in
            .init(
                content: Self.content,
                breaksAfter: index == 0 ? 100_000 : nil,
                partial: { start in
                    let end = min(start + 150_000, Self.content.count)
                    let fields: WireFields = [
                        "ETag": "\"1\"", "Content-Range": "bytes \(start)-\(end - 1)/\(Self.content.count)",
                    ]
                    return .respond(status: 206, headers: fields, body: Array(Self.content[start..<end]))
                }
            )
        }
        expect(result.data, Data(Self.content))
        expect(result.ranges, ["none", "bytes=100000-", "bytes=250000-"])
    }

    @Test(.spec(137), arguments: TransportUnderTest.all, [-1, 1])
    func aDownloadFailsIfAPartIsNotAsLongAsStated(transport: TransportUnderTest, difference: Int) async throws {
        await #expect {
            _ = try await download(transport) { index in
                .init(
                    content: Self.content,
                    breaksAfter: index == 0 ? 100_000 : nil,
                    partial: { _ in
                        let fields: WireFields = ["ETag": "\"1\"", "Content-Range": "bytes 100000-299999/300000"]
                        let body = Array((Self.content + [0])[100_000..<(300_000 + difference)])
                        return .chunked([body], status: 206, headers: fields)
                    }
                )
            }
        } throws: { error in
            (error as? NetworkClient.Error)?.reason == .malformedResponse
        }
    }

    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aDownloadIsCompleteIfOnlyTheEndOfTheBodyWasMissing(transport: TransportUnderTest) async throws {
        let result = try await download(transport) { index in
            .init(content: Self.content, isCutOff: index == 0)
        }
        expect(result.data, Data(Self.content))
        expect(result.ranges, ["none", "bytes=300000-"])
        expect(result.progress.last?.fraction, 1)
    }

    /// Only GET has ranges, and nothing else is sent again by a download itself.
    @Test(.spec(137), arguments: TransportUnderTest.all)
    func aDownloadRequestsTheRestOnlyForGET(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("file.bin")
        let server = try ResourceServer { index in
            .init(content: Self.content, breaksAfter: index == 0 ? 100_000 : nil)
        }
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        request.setValue("once", forHTTPHeaderField: "Idempotency-Key")
        let client = try transport.client(interceptors: [PersistentInterceptor()])
        let download = client.download(request, to: file, isResumable: true)
        _ = try await download.value
        expect(try Data(contentsOf: file), Data(Self.content))
        expect(server.ranges, ["none", "none"])
        expect(download.resumeToken, nil)
    }
}
