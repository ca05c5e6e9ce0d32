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
