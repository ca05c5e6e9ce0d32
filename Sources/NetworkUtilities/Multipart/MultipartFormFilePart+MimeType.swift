extension MultipartFormFilePart {
    /// How the media type of a file part is found.
    public enum MimeType: Hashable, Sendable {
        /// From the extension of the filename that the server gets, by one table on every platform.
        ///
        /// - Parameter withFallback: The media type for a name without an extension, or with one that the table lacks.
        case auto(withFallback: String = "application/octet-stream")

        /// As given.
        ///
        /// - Parameter mimeType: The media type, used verbatim; line breaks in it become spaces.
        case type(mimeType: String)
    }
}
