extension LogRedaction {
    /// One line for each header field, ordered by name: `name: value`.
    func lines(of headers: [(name: String, value: String)], masks: [HeaderMasks]) -> [String] {
        headers.sorted { $0.name.lowercased() < $1.name.lowercased() }.map { name, value in
            PrintableText.line("\(name): \(shown(value, of: name, masks: masks))")
        }
    }

    /// The value of a header field as it may be shown.
    ///
    /// A mask that was made for the field wins over the rules for all, and a value that is shown may still hold a URL
    /// with a token.
    func shown(_ value: String, of name: String, masks: [HeaderMasks]) -> String {
        let own = masks.filter { $0.masks(name) }
        guard own.isEmpty else { return own.reduce(value) { $1.map($0) } }
        return hides(header: name) ? Self.maskText : maskedValue(value)
    }
}
