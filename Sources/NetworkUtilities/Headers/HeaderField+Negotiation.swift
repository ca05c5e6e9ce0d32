extension HeaderField {
    /// `Accept`: the media types that the answer may have (RFC 9110 §12.5.1).
    ///
    /// `.accept(types: [.json, .xml.weighted(0.8)])` is `Accept: application/json, application/xml;q=0.8`.
    ///
    /// - Parameter types: The types, with a weight each where they are not wanted alike; without any the field is left
    ///   out.
    /// - Returns: The field.
    public static func accept(types: [MediaType]) -> HeaderField {
        HeaderField(known: "Accept", list(types.map(\.value)))
    }

    /// `Accept-Language`: the languages that the answer should be in (RFC 9110 §12.5.4), each weighted a tenth less.
    ///
    /// `.languages(["el-GR", "en", "*"])` is `Accept-Language: el-GR, en;q=0.9, *;q=0.8`. No weight is below 0.1.
    ///
    /// - Parameter inOrderOfPreference: The language ranges, such as `Locale.preferredLanguages`. What is none
    ///   (RFC 4647 §2.1) is left out, and the field if nothing remains.
    /// - Returns: The field.
    public static func languages(_ inOrderOfPreference: [String]) -> HeaderField {
        let ranges = inOrderOfPreference.filter(isLanguageRange)
        let weighted = ranges.enumerated().map { index, range in
            index == 0 ? range : "\(range);q=\(QualityValue.text(of: Double(max(1, 10 - index)) / 10))"
        }
        return HeaderField(known: "Accept-Language", list(weighted))
    }

    /// The elements of a list field (RFC 9110 §5.6.1.1); nil if there are none, since an empty field says something
    /// else than no field.
    static func list(_ elements: [String]) -> String? {
        let elements = elements.filter { !$0.isEmpty }
        return elements.isEmpty ? nil : elements.joined(separator: ", ")
    }

    /// RFC 4647 §2.1: `*`, or 1 to 8 letters, and groups of 1 to 8 letters and digits after hyphens.
    private static func isLanguageRange(_ text: String) -> Bool {
        if text == "*" { return true }
        var length = 0
        var isPrimary = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-") where length > 0: (length, isPrimary) = (0, false)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): length += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !isPrimary: length += 1
            default: return false
            }
            if length > 8 { return false }
        }
        return length > 0
    }
}
