extension LogRedaction {
    /// Running text in which hidden values are masked as far as they can be found: `name=value`, `name: value`,
    /// `"name": "value"` and `<name>value</name>`, query items, what follows `Bearer`, and user and password in a URL.
    func maskedText(_ text: String) -> String {
        guard !showsEverything else { return text }
        var mask = TextMask(text, redaction: self)
        return mask.run()
    }
}
