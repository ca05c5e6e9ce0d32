extension MediaType {
    /// Whether the type lies in a range, as an element of `Accept` describes one (RFC 9110 §12.5.1).
    ///
    /// A range is `*/*`, `text/*` or a type of its own. The parameters that it names must be there with the same
    /// values; a charset counts without case, and the weight `q` does not count.
    ///
    /// - Parameter range: The range.
    /// - Returns: Whether the type is in it; false for a text that has no type and subtype.
    public func matches(_ range: MediaType) -> Bool {
        let (type, subtype) = (type, subtype)
        guard !type.isEmpty, !subtype.isEmpty else { return false }
        let isWide = range.subtype == "*"
        guard range.type == type || range.type == "*" && isWide, range.subtype == subtype || isWide else {
            return false
        }
        return range.parameters.allSatisfy { wanted in
            guard wanted.name != "q" else { return true }
            guard let value = parameter(wanted.name) else { return false }
            return wanted.name == "charset" ? HeaderField.isSameName(value, wanted.value) : value == wanted.value
        }
    }
}
