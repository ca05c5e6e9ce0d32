extension LogRedaction {
    /// Running text in which hidden values are masked as far as they can be found.
    ///
    /// That is `name=value`, `name: value`, `"name": "value"` and `<name>value</name>`, query items, what follows
    /// `Bearer`, and user and password in a URL. A value that is not quoted ends with its line.
    func maskedText(_ text: String) -> String {
        guard !showsEverything else { return text }
        var mask = TextMask(text, redaction: self)
        return mask.run()
    }

    /// Masks text of any kind: as JSON if that is what it is, so that escaped names are found too.
    ///
    /// - Parameters:
    ///   - text: The text, such as the value of a header field, of a query item or of a JSON string.
    ///   - layers: How many strings within strings are still read as JSON of their own.
    /// - Returns: The text with hidden values masked.
    func maskedValue(_ text: String, layers: Int = 8) -> String {
        let first = text.utf8.first { !TextMask.whiteSpace.contains($0) }
        guard layers > 0, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let json = RedactedJSON.render(Array(text.utf8), redaction: self, isPretty: false, layers: layers)
        else { return maskedText(text) }
        return String(decoding: json.text, as: UTF8.self)
    }
}
