/// The part of a resource that a body is.
struct DownloadPart: Sendable {
    /// Its first byte in the whole.
    let start: Int
    /// The byte after its last; nil if that is where the body ends.
    let end: Int?
    /// The bytes of the whole; nil if that is not known.
    let total: Int?
    let validator: Validator?
}
