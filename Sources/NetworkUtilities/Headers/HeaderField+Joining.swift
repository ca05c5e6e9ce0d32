extension HeaderField {
    /// The fields with those of one name as one, `v1,v2` (RFC 9110 §5.3), at the place of the first.
    ///
    /// One without a value stays only where no other has its name.
    package static func joined(_ fields: [HeaderField]) -> [HeaderField] {
        var result: [HeaderField] = []
        result.reserveCapacity(fields.count)
        for field in fields {
            guard let index = result.firstIndex(where: { isSameName($0.name, field.name) }) else {
                result.append(field)
                continue
            }
            let values = [result[index].value, field.value].compactMap(\.self)
            guard !values.isEmpty else { continue }
            let name = result[index].name
            result[index] = HeaderField(known: name, values.joined(separator: separator(in: name)))
        }
        return result
    }

    /// What stands between two values of one field: a comma (RFC 9110 §5.3), and a semicolon in `Cookie`, which is no
    /// list of HTTP's (RFC 6265 §4.2.1).
    package static func separator(in name: String) -> String {
        isSameName(name, "Cookie") ? "; " : ","
    }
}
