extension String {
    /// Lines of at most that many characters, broken between words, and all but the first indented; a longer word stays
    /// whole.
    func wrapped(to width: Int) -> [String] {
        guard count > width else { return [self] }
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(lines.isEmpty ? String(word) : "  \(word)")
            }
        }
        return lines
    }
}
