/// Search in bytes: `contains` of a text in a text is newer than the oldest platforms.
enum ByteSearch {
    /// Whether the bytes hold the others as one run.
    static func contains(_ part: some Collection<UInt8>, in bytes: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= bytes.count else { return false }
        return (0...bytes.count - part.count).contains { start in
            bytes[start] == first && bytes[start...].starts(with: part)
        }
    }
}
