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
        // Nearly every line is another field, which two bytes of the name tell.
        guard line.count > name.count, line[7] == name[7], line[8] | 0x20 == name[8] else { return nil }
        for index in name.indices where line[index] | 0x20 != name[index] { return nil }
        return line[name.count...]
    }

    private static let name = Array("content-length:".utf8)

    /// Digits with white space around them, and nothing else.
    private static func digits(_ member: some Collection<UInt8>) -> Int? {
        var number: Int?
        var isOver = false
        for byte in member {
            if byte == 0x20 || 0x09...0x0D ~= byte {
                isOver = number != nil
            } else {
                guard !isOver, 0x30...0x39 ~= byte else { return nil }
                let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, isLarger) = tens.addingReportingOverflow(Int(byte - 0x30))
                guard !isTooLarge, !isLarger else { return nil }
                number = sum
            }
        }
        return number
    }
}
