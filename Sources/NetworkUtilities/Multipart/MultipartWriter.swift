/// Assembles the bytes of a form: small parts in one buffer, large parts by reference.
struct MultipartWriter: Sendable {
    /// The maximum length of a form without files that is one `Data`; in a longer one, large parts are sent without a
    /// copy.
    static let largestInMemory = 1 << 20

    /// The maximum length of a part's data that is copied into the buffer.
    private static let largestCopy = 1 << 14

    /// The initial capacity of the buffer, enough for two or three small parts.
    private static let initialCapacity = 512

    private let boundary: String
    /// The complete pieces of the form; the bytes in `pending` follow them.
    private var pieces: [RequestContent] = []
    /// The buffer, which ends with the hyphens of the next delimiter; appending to `Data` would take ten times as long.
    private var pending: [UInt8] = []

    init(boundary: MultipartBoundary) {
        self.boundary = boundary.text
        pending.reserveCapacity(Self.initialCapacity)
        pending.append(literal: "--")
    }

    /// Writes the delimiter and `Content-Disposition`; no name or filename can add a field.
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

    /// Writes another field of the part, whose name and value are valid.
    mutating func append(field name: String, _ value: String) {
        pending.append(literal: "\r\n")
        pending.append(verbatim: name)
        pending.append(literal: ": ")
        pending.append(verbatim: value)
    }

    /// Writes the text of a part.
    mutating func endPart(text: String) {
        pending.append(literal: "\r\n\r\n")
        MultipartEscaping.text.append(text, to: &pending)
        pending.append(literal: "\r\n--")
    }

    /// Writes the bytes of a part, or a reference to them.
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

    /// Returns the form with the parts written so far and the closing delimiter.
    consuming func makeContent() -> RequestContent {
        pending.append(verbatim: boundary)
        pending.append(literal: "--\r\n")
        guard !pieces.isEmpty else { return .data(Data(pending)) }
        pieces.append(.data(Data(pending)))
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

/// The escaping of names, filenames and texts in a form (WHATWG HTML, multipart/form-data encoding algorithm).
///
/// Works on UTF-8 bytes: CR LF is one `Character`. Bytes that need no change are copied in runs.
struct MultipartEscaping: Sendable {
    /// The text that replaces CR, LF and CR LF; nil to escape CR and LF separately.
    private let newline: StaticString?
    private let quotationMark: StaticString?

    /// A name: newlines are normalised to CR LF, and then CR, LF and `"`, which would end the parameter, are escaped.
    static let name = MultipartEscaping(newline: "%0D%0A", quotationMark: "%22")

    /// A filename: CR, LF and `"` are escaped.
    static let filename = MultipartEscaping(newline: nil, quotationMark: "%22")

    /// A text: each bare CR and each bare LF becomes CR LF.
    static let text = MultipartEscaping(newline: "\r\n", quotationMark: nil)

    /// Appends the escaped text.
    func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &bytes) }
    }

    private func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            // The largest replaced byte is the quotation mark; most bytes of a text are above it.
            guard byte <= Self.quote, let substitute = substitute(for: byte) else {
                index += 1
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            index += 1
            if newline != nil, byte == Self.carriageReturn, index < text.count, text[index] == Self.lineFeed {
                index += 1
            }
            bytes.append(literal: substitute)
            start = index
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private func substitute(for byte: UInt8) -> StaticString? {
        switch byte {
        case Self.carriageReturn: newline ?? "%0D"
        case Self.lineFeed: newline ?? "%0A"
        case Self.quote: quotationMark
        default: nil
        }
    }

    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
    private static let quote: UInt8 = 0x22
}
