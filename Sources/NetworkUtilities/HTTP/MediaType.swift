/// The media type of a body (RFC 9110 §8.3), such as `application/json`.
///
/// The set is open: ``init(_:)`` and literals, such as `"text/csv"`, accept any text, and ``init(parsing:)`` checks it.
/// Equality compares the texts; ``matches(_:)`` compares their meaning.
public struct MediaType: Hashable, Sendable {
    /// The text of the type with its parameters, as in a header field.
    public let value: String

    /// Creates a media type from any text.
    ///
    /// - Parameter value: `type/subtype`, and `; name=value` for each parameter. Used verbatim, except that control
    ///   characters become spaces, so that the text cannot add a header field.
    public init(_ value: String) {
        self.value = FieldValue.sanitized(value)
    }

    /// `type/subtype` in lower case, without parameters.
    public var essence: String {
        withBytes { bytes in
            let essence = bytes[Scanner(bytes).essence]
            let isBare = essence.count == bytes.count && !essence.contains { ASCII.lowercased($0) != $0 }
            return isBare ? value : String(decoding: essence.map(ASCII.lowercased), as: UTF8.self)
        }
    }

    /// The part before the slash, in lower case, such as `text`; `*` in a range of all types.
    public var type: String {
        String(essence.prefix { $0 != "/" })
    }

    /// The part after the slash, in lower case, such as `html`; empty without a slash.
    public var subtype: String {
        String(essence.drop { $0 != "/" }.dropFirst())
    }

    /// The structured syntax that the subtype ends with (RFC 6838 §4.2.8), such as `xml` for `image/svg+xml`, or nil.
    public var suffix: String? {
        let subtype = subtype.utf8
        guard let plus = subtype.lastIndex(of: UInt8(ascii: "+")), plus > subtype.startIndex else { return nil }
        let suffix = subtype[subtype.index(after: plus)...]
        return suffix.isEmpty ? nil : String(Substring(suffix))
    }

    /// Whether the body is JSON: `application/json`, `text/json`, or a type with the suffix `+json` (RFC 6839 §3.1).
    package var isJSON: Bool {
        let essence = essence
        return essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// Whether the body is a URL-encoded form.
    package var isForm: Bool {
        essence == "application/x-www-form-urlencoded"
    }

    /// The `charset` parameter in lower case.
    package var charset: String? {
        parameter("charset")?.lowercased()
    }

    /// Returns whether the type is in a range, as in an element of `Accept` (RFC 9110 §12.5.1).
    ///
    /// A range is `*/*`, `text/*` or a complete type. The type must have the parameters of the range with the same
    /// values; the case of a charset and the weight `q` are ignored. A text without type and subtype is in no range.
    public func matches(_ range: MediaType) -> Bool {
        let (type, subtype, rangeType, rangeSubtype) = (type, subtype, range.type, range.subtype)
        guard !type.isEmpty, !subtype.isEmpty else { return false }
        let isWide = rangeSubtype == "*"
        guard rangeType == type || rangeType == "*" && isWide, rangeSubtype == subtype || isWide else { return false }
        return range.parameters.allSatisfy { wanted in
            guard wanted.name != "q" else { return true }
            guard let value = parameter(wanted.name) else { return false }
            return wanted.name == "charset" ? ASCII.isSame(value, wanted.value) : value == wanted.value
        }
    }

    /// Returns a copy with a weight for `Accept` (RFC 9110 §12.4.2), such as `text/html;q=0.8`.
    ///
    /// The weight ranges from 0 (not acceptable) to 1 (the default). A number outside the range becomes the nearer end,
    /// and NaN becomes 1. The weight is rounded to three decimals; a weight above 0 becomes at least 0.001.
    public func weighted(_ quality: Double) -> MediaType {
        MediaType("\(replacing("q", by: nil).text);q=\(QualityValue.text(of: quality))")
    }
}

extension MediaType: ExpressibleByStringLiteral {
    /// Creates a media type from a literal, as in `bodyData(data, type: "image/jpeg")`; the same as ``init(_:)``.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension MediaType: CustomStringConvertible {
    /// The text of the type, as in a header field.
    public var description: String { value }
}

/// The error for a text that is not a media type (RFC 9110 §8.3.1).
public struct MediaTypeError: Error, Hashable, Sendable, DescribedError {
    /// The rule that the text breaks.
    public struct Reason: Hashable, Sendable {
        let sentence: String

        /// The text does not begin with a type and a subtype.
        public static let essence = Reason(sentence: "it must begin with two tokens and a slash, as in text/plain")

        /// A parameter has no equals sign, or its name is not a token.
        public static let parameter = Reason(sentence: "each parameter must be a token, an equals sign and a value")

        /// The value of a parameter is neither a token nor a quoted string without control characters.
        public static let parameterValue = Reason(
            sentence: "the value of a parameter must be a token, or in quotes and without control characters"
        )
    }

    /// The invalid text; only the type and the subtype for ``MediaType/init(type:subtype:parameters:)``.
    public let text: String

    /// The rule that the text breaks.
    public let reason: Reason

    package init(text: String, reason: Reason) {
        self.text = text
        self.reason = reason
    }

    /// One sentence that quotes the text.
    public var description: String {
        "The media type \(text.debugDescription) is not valid: \(reason.sentence)."
    }
}

// The media types that requests and responses use most, under the names registered with IANA.
extension MediaType {
    /// Every type, in `Accept` (RFC 9110 §12.5.1): `*/*`.
    public static let any = MediaType("*/*")

    /// JSON (RFC 8259): `application/json`.
    public static let json = MediaType("application/json")

    /// Bytes of an unknown type: `application/octet-stream`.
    public static let octetStream = MediaType("application/octet-stream")

    /// Text in UTF-8: `text/plain; charset=utf-8`.
    public static let plainText = MediaType("text/plain; charset=utf-8")

    /// A URL-encoded form (WHATWG URL): `application/x-www-form-urlencoded`.
    ///
    /// `useUTF8Charset` adds `; charset=utf-8`, which the standard does not define, but some older servers require.
    public static func url(useUTF8Charset: Bool = false) -> MediaType {
        useUTF8Charset ? formWithCharset : form
    }

    private static let form = MediaType("application/x-www-form-urlencoded")
    private static let formWithCharset = MediaType("application/x-www-form-urlencoded; charset=utf-8")

    /// A multipart form (RFC 7578): `multipart/form-data`.
    ///
    /// The boundary separates the parts. It is quoted if it is not a token.
    public static func multipart(withBoundary boundary: String) -> MediaType {
        MediaType("multipart/form-data; boundary=\(QuotedString.quotedIfNeeded(boundary))")
    }

    /// A web page: `text/html`.
    public static let html = MediaType("text/html")

    /// A style sheet (RFC 2318): `text/css`.
    public static let css = MediaType("text/css")

    /// JavaScript (RFC 9239): `text/javascript`.
    public static let javaScript = MediaType("text/javascript")

    /// Comma-separated values (RFC 4180): `text/csv`.
    public static let csv = MediaType("text/csv")

    /// Markdown (RFC 7763): `text/markdown`.
    public static let markdown = MediaType("text/markdown")

    /// Server-sent events (WHATWG HTML): `text/event-stream`.
    public static let eventStream = MediaType("text/event-stream")

    /// XML (RFC 7303): `application/xml`.
    public static let xml = MediaType("application/xml")

    /// Details of an error as JSON (RFC 9457): `application/problem+json`.
    public static let problemJSON = MediaType("application/problem+json")

    /// JSON that is merged into a resource (RFC 7396): `application/merge-patch+json`.
    public static let mergePatchJSON = MediaType("application/merge-patch+json")

    /// A list of changes to a JSON resource (RFC 6902): `application/json-patch+json`.
    public static let jsonPatch = MediaType("application/json-patch+json")

    /// JSON with links to other data (W3C): `application/ld+json`.
    public static let jsonLD = MediaType("application/ld+json")

    /// JSON documents, one per line: `application/x-ndjson`.
    public static let ndjson = MediaType("application/x-ndjson")

    /// YAML (RFC 9512): `application/yaml`.
    public static let yaml = MediaType("application/yaml")

    /// PDF (RFC 8118): `application/pdf`.
    public static let pdf = MediaType("application/pdf")

    /// A ZIP archive: `application/zip`.
    public static let zip = MediaType("application/zip")

    /// A gzip file (RFC 6713): `application/gzip`.
    public static let gzip = MediaType("application/gzip")

    /// A PNG image: `image/png`.
    public static let png = MediaType("image/png")

    /// A JPEG image: `image/jpeg`.
    public static let jpeg = MediaType("image/jpeg")

    /// A GIF image: `image/gif`.
    public static let gif = MediaType("image/gif")

    /// A WebP image (RFC 9649): `image/webp`.
    public static let webp = MediaType("image/webp")

    /// An SVG image: `image/svg+xml`.
    public static let svg = MediaType("image/svg+xml")

    /// A HEIC image: `image/heic`.
    public static let heic = MediaType("image/heic")

    /// MP3 audio: `audio/mpeg`.
    public static let mp3 = MediaType("audio/mpeg")

    /// WAVE audio: `audio/vnd.wave`.
    public static let wav = MediaType("audio/vnd.wave")

    /// Ogg audio (RFC 5334): `audio/ogg`.
    public static let ogg = MediaType("audio/ogg")

    /// MP4 video (RFC 4337): `video/mp4`.
    public static let mp4 = MediaType("video/mp4")

    /// WebM video: `video/webm`.
    public static let webm = MediaType("video/webm")

    /// QuickTime video: `video/quicktime`.
    public static let mov = MediaType("video/quicktime")

    /// Matroska video (RFC 9559): `video/matroska`.
    public static let mkv = MediaType("video/matroska")

    /// AVI video, whose usual name is not registered: `video/x-msvideo`.
    public static let avi = MediaType("video/x-msvideo")
}
