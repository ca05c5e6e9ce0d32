/// A text encoding of the WHATWG Encoding standard (https://encoding.spec.whatwg.org), which defines what labels such
/// as `iso-8859-1` mean in practice.
///
/// Unlike the standard's decoders, which replace invalid bytes, ``text(of:)`` throws an error.
struct Charset: Sendable {
    /// How a charset is decoded.
    enum Form: Sendable {
        case utf8
        case utf16(isLittleEndian: Bool)
        case system(SystemCharset)
        /// Bytes from 0x80 on are private-use characters from U+F780 on.
        case userDefined
        /// Rejects any text: the standard disables encodings that were used to hide scripts (§14.1).
        case replacement
    }

    /// The result of reading bytes as text.
    struct Reading {
        enum End {
            case complete
            /// The last bytes are an incomplete character, which the text does not contain.
            case cut
            case invalid
        }

        var text = ""
        /// The number of bytes that make up the text.
        var count = 0
        var end = End.complete
    }

    /// Why bytes are not read as text.
    enum Unreadable: Error {
        /// The system does not support the charset, for example because its converters are not installed.
        case unknownCharset
        case invalidText
    }

    /// The standard's name, in lower case.
    let name: String
    /// All labels of the charset, separated by spaces.
    let labels: String
    let form: Form

    init(_ name: String, _ labels: String, _ form: Form) {
        self.name = name
        self.labels = labels
        self.form = form
    }

    /// Creates the charset of a label, in any letter case; nil if the standard does not define the label.
    init?(label: String) {
        let label = label.trimmingCharacters(in: Self.blanks).lowercased()
        guard let charset = Self.charsets[label] else { return nil }
        self = charset
    }

    /// Creates the charset of a `Content-Type` field (RFC 9110 §8.3.2), UTF-8 by default; nil if the label is unknown.
    init?(contentType: String?) {
        let label = contentType.flatMap { MediaType($0).charset }?.trimmingCharacters(in: Self.blanks) ?? ""
        self.init(label: label.isEmpty ? Self.utf8.name : label)
    }

    /// The characters that are removed around a label: white space, and single quotes, which some servers send although
    /// the grammar has no such quotes and no label contains one.
    private static let blanks = CharacterSet(charactersIn: " \t\n\u{C}\r'")

    /// Returns the whole text without a byte order mark, which takes precedence over the charset (§4.2).
    ///
    /// - Throws: ``Unreadable`` if the bytes are invalid, or the system does not support the charset.
    func text(of data: Data) throws(Unreadable) -> String {
        let (charset, markLength) = marked(by: data)
        let reading = try charset.read(data.dropFirst(markLength))
        guard case .complete = reading.end else { throw .invalidText }
        return reading.text
    }

    /// Returns the charset that a byte order mark names, or this one without a mark, and the length of the mark.
    func marked(by data: Data) -> (charset: Charset, markLength: Int) {
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if data.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if data.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        return (self, 0)
    }

    /// Reads bytes without a byte order mark.
    ///
    /// - Throws: ``Unreadable/unknownCharset`` if the system does not support the charset.
    func read(_ data: Data) throws(Unreadable) -> Reading {
        switch form {
        case .utf8:
            // `String` repairs invalid bytes, so a text with different bytes was invalid.
            let text = String(decoding: data, as: UTF8.self)
            guard text.utf8.elementsEqual(data) else { return Reading(end: .invalid) }
            return Reading(text: text, count: data.count)
        case .utf16(let isLittleEndian):
            return Self.readUTF16(data, isLittleEndian: isLittleEndian)
        case .userDefined:
            let scalars = data.compactMap { Unicode.Scalar($0 < 0x80 ? UInt32($0) : 0xF700 + UInt32($0)) }
            return Reading(text: String(String.UnicodeScalarView(scalars)), count: data.count)
        case .replacement:
            return Reading(end: data.isEmpty ? .complete : .invalid)
        case .system(let charset):
            guard let reading = charset.read(data) else { throw .unknownCharset }
            return reading
        }
    }

    /// Returns how many of the bytes encode `beginning`, the first part of their text; the bytes must be valid.
    func length(of beginning: String, in data: Data) -> Int {
        switch form {
        case .utf8, .replacement: beginning.utf8.count
        case .utf16: beginning.utf16.count * 2
        case .userDefined: beginning.unicodeScalars.count
        case .system(let charset): charset.length(of: beginning, in: data)
        }
    }

    private static func readUTF16(_ data: Data, isLittleEndian: Bool) -> Reading {
        var units: [UInt16] = []
        units.reserveCapacity(data.count / 2)
        var first: UInt16?
        for byte in data {
            if let other = first {
                units.append(isLittleEndian ? UInt16(byte) << 8 | other : other << 8 | UInt16(byte))
                first = nil
            } else {
                first = UInt16(byte)
            }
        }
        var isCut = first != nil
        if let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            isCut = true
        }
        let text = String(decoding: units, as: UTF16.self)
        guard text.utf16.elementsEqual(units) else { return Reading(end: .invalid) }
        return Reading(text: text, count: units.count * 2, end: isCut ? .cut : .complete)
    }
}

extension Charset: Equatable {
    static func == (one: Charset, other: Charset) -> Bool { one.name == other.name }
}
