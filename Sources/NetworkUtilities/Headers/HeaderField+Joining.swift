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
            result[index] = HeaderField(known: result[index].name, values.joined(separator: ","))
        }
        return result
    }
}
