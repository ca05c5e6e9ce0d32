/// A field of a head by which it is known what the body's bytes are.
struct ContentField: Sendable {
    /// Lower-case letters and the colon; the name begins with `content-`.
    private let name: [UInt8]

    private init(_ name: String) {
        self.name = Array(name.utf8) + [UInt8(ascii: ":")]
    }

    static let length = ContentField("content-length")
    static let encoding = ContentField("content-encoding")

    /// The value of the field if a line of a head is that field.
    func value(ofLine line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer.SubSequence? {
        // Nearly every line is another field, which two bytes of the name tell.
        guard line.count > name.count, line[7] == name[7], line[8] | 0x20 == name[8] else { return nil }
        for index in name.indices where line[index] | 0x20 != name[index] { return nil }
        return line[name.count...]
    }
}
