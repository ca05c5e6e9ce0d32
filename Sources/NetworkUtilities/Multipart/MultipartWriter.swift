import Foundation

/// The bytes of a form as they are put together: one buffer for what is small, references to what is large.
struct MultipartWriter: Sendable {
    /// Up to this many bytes, a form without files is one piece of `Data`; beyond, its large parts are sent from where
    /// they are.
    static let largestInMemory = 1 << 20

    /// Beyond this many bytes, a part's data is referred to rather than copied into the bytes around it.
    private static let largestCopy = 1 << 14

    /// Two or three small parts fit in.
    private static let initialCapacity = 512

    private let boundary: String
    /// What comes before `pending`.
    private var pieces: [RequestContent] = []
    /// Ends with the hyphens of the next delimiter; an array, since appending to `Data` costs ten times as much.
    private var pending: [UInt8] = []

    init(boundary: MultipartBoundary) {
        self.boundary = boundary.text
        pending.reserveCapacity(Self.initialCapacity)
        pending.append(literal: "--")
    }

    /// Writes the delimiter and the field that every part has, in which nothing that is passed can add another.
    mutating func beginPart(name: String, filename: String?) {
        pending.append(verbatim: boundary)
        pending.append(literal: "\r\nContent-Disposition: form-data; name=\"")
        MultipartEscaping.name.append(name, to: &pending)
        if let filename {
            pending.append(literal: "\"; filename=\"")
            MultipartEscaping.filename.append(filename, to: &pending)
        }
        pending.append(literal: "\"")
    }

    /// Writes a further field of the part, of which the name and the value are known to be clean.
    mutating func append(field name: String, _ value: String) {
        pending.append(literal: "\r\n")
        pending.append(verbatim: name)
        pending.append(literal: ": ")
        pending.append(verbatim: value)
    }

    /// Writes what kind of bytes the part has.
    mutating func append(type: MediaType?) {
        // A media type has no line breaks; an empty one would be a field without a value, which parsers stumble over.
        guard let type, !type.value.isEmpty else { return }
        pending.append(literal: "\r\nContent-Type: ")
        pending.append(verbatim: type.value)
    }

    /// Writes the payload of a part of text.
    mutating func endPart(text: String) {
        pending.append(literal: "\r\n\r\n")
        MultipartEscaping.text.append(text, to: &pending)
        pending.append(literal: "\r\n--")
    }

    /// Writes the payload of a part, or refers to it.
    mutating func endPart(_ content: RequestContent) {
        pending.append(literal: "\r\n\r\n")
        if case .data(let data) = content.storage, data.count <= Self.largestCopy {
            data.withUnsafeBytes { pending.append(contentsOf: $0) }
        } else {
            pieces.append(.data(Data(pending)))
            pieces.append(content)
            pending.removeAll(keepingCapacity: true)
        }
        pending.append(literal: "\r\n--")
    }

    /// The form with the parts so far and the closing delimiter.
    consuming func content() -> RequestContent {
        pending.append(verbatim: boundary)
        pending.append(literal: "--\r\n")
        guard !pieces.isEmpty else { return .data(Data(pending)) }
        pieces.append(.data(Data(pending)))
        return joined()
    }

    private func joined() -> RequestContent {
        let source = ConcatenatedBodySource(pieces.map(\.source))
        let data = pieces.compactMap { piece in
            if case .data(let data) = piece.storage { data } else { nil }
        }
        guard data.count == pieces.count, source.length <= Self.largestInMemory else {
            return RequestContent(.source(source))
        }
        return .data(data.reduce(into: Data(capacity: source.length)) { $0.append($1) })
    }
}
