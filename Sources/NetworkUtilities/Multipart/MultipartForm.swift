import Foundation

/// A complete `multipart/form-data` body: its media type and its bytes, with one boundary in both.
package struct MultipartForm: Sendable {
    /// Up to this many bytes, a form without files is one piece of `Data`; beyond, its parts are sent from where they
    /// are.
    package static let largestInMemory = 1 << 20

    private let boundary: MultipartBoundary
    private let parts: [MultipartPart]

    init(boundary: MultipartBoundary, parts: [MultipartPart]) {
        self.boundary = boundary
        self.parts = parts
    }

    /// `multipart/form-data` with the boundary.
    package var mediaType: MediaType {
        .multipart(withBoundary: boundary.text)
    }

    /// The bytes, the same each time: parts in the order in which they were added, and always a closing delimiter.
    package var content: RequestContent {
        var pieces: [RequestContent] = []
        var pending = Data()
        for part in parts {
            pending.append(contentsOf: "--\(boundary.text)\r\n".utf8)
            pending.append(part.head)
            if case .data(let data) = part.payload, data.count <= Self.largestCopy {
                pending.append(data)
            } else {
                pieces.append(.data(pending))
                pieces.append(part.payload)
                pending = Data()
            }
            pending.append(contentsOf: "\r\n".utf8)
        }
        pending.append(contentsOf: "--\(boundary.text)--\r\n".utf8)
        pieces.append(.data(pending))
        return Self.joined(pieces)
    }

    /// Beyond this many bytes, a part's data is referred to rather than copied into the bytes around it.
    private static let largestCopy = 1 << 14

    private static func joined(_ pieces: [RequestContent]) -> RequestContent {
        let data = pieces.compactMap { piece in
            if case .data(let data) = piece { data } else { nil }
        }
        if data.count == pieces.count, data.reduce(0, { $0 + $1.count }) <= largestInMemory {
            return .data(data.reduce(into: Data()) { $0.append($1) })
        }
        return .source(ConcatenatedBodySource(pieces.map(\.source)))
    }
}
