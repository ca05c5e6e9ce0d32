import Foundation
import NetworkTestSupport
import NetworkUtilities

/// The kinds of request bodies, with bytes that distinguish an empty, cut or doubled body.
enum BodyKind: CaseIterable, Sendable {
    case none
    case data
    case file
    case multipart
    /// A caller's stream, which can be read once, sent in chunks.
    case stream
    case streamOfKnownLength
    /// An asynchronous sequence, which can be iterated once.
    case sequence
    case sequenceOfKnownLength

    /// Whether it can be sent a second time.
    var isReplayable: Bool {
        switch self {
        case .none, .data, .file, .multipart: true
        case .stream, .streamOfKnownLength, .sequence, .sequenceOfKnownLength: false
        }
    }

    /// The length is not a power of two, so that no buffer ends with the body.
    private static let pattern = Data((0..<9_973).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private static func bytes(_ length: Int) -> Data {
        var bytes = Data(capacity: length + pattern.count)
        while bytes.count < length { bytes.append(pattern) }
        return bytes.prefix(length)
    }

    /// Returns a request with such a body, and the bytes that the server should receive.
    func request(
        to url: URL,
        length: Int = 5_000,
        in directory: TemporaryDirectory
    ) throws -> (request: URLRequest, body: Data) {
        let bytes = Self.bytes(length)
        let stage = URLRequest.post(url: url)
        switch self {
        case .none: return (stage.noBody().build(), Data())
        case .data: return (stage.bodyData(bytes).build(), bytes)
        case .file: return (try stage.bodyFile(at: directory.file("body.bin", bytes)).build(), bytes)
        case .multipart:
            let form = try MultipartForm(boundary: MultipartBoundary("B")) {
                try MultipartPart(name: "f", file: .init(file: directory.file("part.bin", bytes)))
            }
            let head =
                "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"part.bin\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n"
            return (stage.bodyMultipart(form).build(), Data(head.utf8) + bytes + Data("\r\n--B--\r\n".utf8))
        case .stream, .streamOfKnownLength:
            var request = stage.noBody().build()
            request.httpBodyStream = InputStream(data: bytes)
            if self == .streamOfKnownLength { request.set(header: .custom(name: "Content-Length", value: "\(length)")) }
            return (request, bytes)
        case .sequence, .sequenceOfKnownLength:
            let step = stage.bodyStream(Self.chunks(bytes), length: self == .sequence ? nil : length)
            return (step.build(), bytes)
        }
    }

    /// Some chunks are longer than one write, and some are empty.
    private static func chunks(_ bytes: Data) -> ScriptedChunks {
        ScriptedChunks { number in
            let start = number * 100_000
            guard number % 2 == 0 else { return Data() }
            return start < bytes.count ? bytes[start..<min(start + 200_000, bytes.count)] : nil
        }
    }
}
