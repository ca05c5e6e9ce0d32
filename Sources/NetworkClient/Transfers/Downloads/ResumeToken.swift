/// Tells a later download how to go on with one that was interrupted; small, and without anything secret.
///
/// A token names a file beside the destination, and the state of the resource that the bytes of the file belong to.
/// Encode it (it is `Codable`) to keep it from one launch to the next; delete the file if the download is given up.
public struct ResumeToken: Hashable, Sendable, Codable {
    /// The name of the file that holds the bytes, in the folder of the destination, or of its target if the destination
    /// is a symbolic link.
    public let partialFileName: String

    /// The `ETag` or the `Last-Modified` that the server gave, as it stands in `If-Range` (RFC 9110 §13.1.5).
    public let validator: String

    /// How many bytes the resource has, if the server said so.
    public let total: Int?

    /// Takes the parts, such as those of a token that was kept in another form.
    ///
    /// - Parameters:
    ///   - partialFileName: The name of the file that a download left; any other is not touched.
    ///   - validator: The value for `If-Range`.
    ///   - total: Bytes; nil if that is not known.
    public init(partialFileName: String, validator: String, total: Int?) {
        self.partialFileName = partialFileName
        self.validator = validator
        self.total = total
    }

    /// Whether the name is one that a download gives, so that no other file is written to, and the validator one that
    /// can be sent.
    var isUsable: Bool {
        PartialFile.isName(partialFileName)
            && !validator.isEmpty && validator.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
