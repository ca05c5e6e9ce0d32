import Foundation

/// One part of a form: its header fields as they are sent, and its bytes.
struct MultipartPart: Sendable {
    /// The header fields with the empty line that ends them.
    let head: Data
    let payload: RequestContent

    /// Writes the part's header fields, in which nothing that is passed can add another.
    init(name: String, filename: String? = nil, type: MediaType? = nil, payload: RequestContent) {
        var head = Data("Content-Disposition: form-data; name=\"".utf8)
        head.append(contentsOf: MultipartEscaping.escaped(MultipartEscaping.normalised(name)))
        head.append(UInt8(ascii: "\""))
        if let filename {
            head.append(contentsOf: "; filename=\"".utf8)
            head.append(contentsOf: MultipartEscaping.escaped(filename.utf8))
            head.append(UInt8(ascii: "\""))
        }
        // A media type has no line breaks; an empty one would be a field without a value, which parsers stumble over.
        if let type, !type.value.isEmpty {
            head.append(contentsOf: "\r\nContent-Type: \(type.value)".utf8)
        }
        head.append(contentsOf: "\r\n\r\n".utf8)
        self.head = head
        self.payload = payload
    }
}
