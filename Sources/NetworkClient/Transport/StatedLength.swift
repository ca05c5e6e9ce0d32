import Foundation

/// What `Content-Length` says (RFC 9110 §8.6).
enum StatedLength {
    /// The one number that a field value states, once or several times; nil if it states several, or none.
    ///
    /// An answer with such a field has an end that two recipients would see in two places (RFC 9112 §6.3).
    static func number(in value: some Collection<UInt8>) -> Int? {
        var number: Int?
        for member in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let next = digits(member), number == nil || number == next else { return nil }
            number = next
        }
        return number
    }

    /// The value of the field if a line of a head is that field.
    static func value(ofLine line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer.SubSequence? {
        // Nearly every line is another field, of which the first byte tells.
        guard line.count > name.count, line[0] | 0x20 == name[0], zip(line, name).allSatisfy({ $0 | 0x20 == $1 }) else {
            return nil
        }
        return line[name.count...]
    }

    private static let name = Array("content-length:".utf8)

    private static func digits(_ member: some Collection<UInt8>) -> Int? {
        let text = String(decoding: member, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
