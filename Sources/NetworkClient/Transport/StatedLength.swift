/// What `Content-Length` says (RFC 9110 §8.6).
enum StatedLength {
    /// The one number that a field value states, once or several times; nil if it states several, or none.
    ///
    /// An answer with such a field has an end that two recipients would see in two places (RFC 9112 §6.3).
    static func number(in value: some Collection<UInt8>) -> Int? {
        var first: Int?
        // Of the member that is being read: digits with white space around them, and nothing else.
        var number: Int?
        var isOver = false
        for byte in value {
            switch byte {
            case UInt8(ascii: ","):
                guard let next = number, first == nil || first == next else { return nil }
                (first, number, isOver) = (next, nil, false)
            case 0x20, 0x09...0x0D:
                isOver = number != nil
            default:
                guard !isOver, 0x30...0x39 ~= byte else { return nil }
                let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
                let (sum, isLarger) = tens.addingReportingOverflow(Int(byte - 0x30))
                guard !isTooLarge, !isLarger else { return nil }
                number = sum
            }
        }
        return first == nil || first == number ? number : nil
    }
}
