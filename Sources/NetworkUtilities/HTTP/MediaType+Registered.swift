extension MediaType {
    // Those that requests and answers name most; IANA's registry is the source of the names.

    /// Every type, in `Accept` (RFC 9110 §12.5.1): `*/*`.
    public static let any = MediaType("*/*")

    /// A web page: `text/html`.
    public static let html = MediaType("text/html")

    /// A style sheet (RFC 2318): `text/css`.
    public static let css = MediaType("text/css")

    /// A program in JavaScript (RFC 9239): `text/javascript`.
    public static let javaScript = MediaType("text/javascript")

    /// A table with commas (RFC 4180): `text/csv`.
    public static let csv = MediaType("text/csv")

    /// Text in Markdown (RFC 7763): `text/markdown`.
    public static let markdown = MediaType("text/markdown")

    /// A stream of server-sent events (WHATWG HTML): `text/event-stream`.
    public static let eventStream = MediaType("text/event-stream")

    /// XML (RFC 7303): `application/xml`.
    public static let xml = MediaType("application/xml")

    /// JSON with the details of an error (RFC 9457): `application/problem+json`.
    public static let problemJSON = MediaType("application/problem+json")

    /// JSON that is merged into a resource (RFC 7396): `application/merge-patch+json`.
    public static let mergePatchJSON = MediaType("application/merge-patch+json")

    /// A list of changes to a JSON resource (RFC 6902): `application/json-patch+json`.
    public static let jsonPatch = MediaType("application/json-patch+json")

    /// JSON with links to other data (W3C): `application/ld+json`.
    public static let jsonLD = MediaType("application/ld+json")

    /// JSON documents, one a line: `application/x-ndjson`.
    public static let ndjson = MediaType("application/x-ndjson")

    /// YAML (RFC 9512): `application/yaml`.
    public static let yaml = MediaType("application/yaml")

    /// CBOR, a binary form of JSON's values (RFC 8949): `application/cbor`.
    public static let cbor = MediaType("application/cbor")

    /// A document to be printed (RFC 8118): `application/pdf`.
    public static let pdf = MediaType("application/pdf")

    /// An archive: `application/zip`.
    public static let zip = MediaType("application/zip")

    /// Bytes that gzip has compressed (RFC 6713): `application/gzip`.
    public static let gzip = MediaType("application/gzip")

    /// A picture: `image/png`.
    public static let png = MediaType("image/png")

    /// A photograph: `image/jpeg`.
    public static let jpeg = MediaType("image/jpeg")

    /// A picture that may move: `image/gif`.
    public static let gif = MediaType("image/gif")

    /// A picture (RFC 9649): `image/webp`.
    public static let webp = MediaType("image/webp")

    /// A drawing of lines: `image/svg+xml`.
    public static let svg = MediaType("image/svg+xml")

    /// A photograph from a recent telephone: `image/heic`.
    public static let heic = MediaType("image/heic")

    /// Sound: `audio/mpeg`.
    public static let mp3 = MediaType("audio/mpeg")

    /// Pictures and sound (RFC 4337): `video/mp4`.
    public static let mp4 = MediaType("video/mp4")
}
