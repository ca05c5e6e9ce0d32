extension MediaType {
    /// Creates the usual media type of files with an extension; nil if the extension is unknown.
    ///
    /// The types of about 200 extensions come from one table, which is the same on every platform and has the names
    /// registered with IANA where there are any. Others come from the database of the platform (`UTType` on Apple
    /// platforms, `/etc/mime.types` on Linux, read once), so they may differ between machines.
    ///
    /// - Parameter fileExtension: The extension without its dot, such as `pdf`, in any letter case.
    public init?(fileExtension: String) {
        let name = fileExtension.lowercased()
        guard let type = Self.typesByExtension[name] ?? PlatformMediaTypes.type(ofExtension: name) else { return nil }
        self = type
    }

    /// Creates the media type for a file name; nil for a name without an extension, or with an unknown one.
    ///
    /// A name that begins with its only dot, such as `.profile`, has no extension.
    init?(fileName: String) {
        let name = fileName.utf8
        let start = name.lastIndex(of: UInt8(ascii: "/")).map(name.index(after:)) ?? name.startIndex
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > start else { return nil }
        self.init(fileExtension: String(fileName[name.index(after: dot)...]))
    }

    private static let typesByExtension: [String: MediaType] = {
        var types: [String: MediaType] = [:]
        for (value, extensions) in table {
            let type = MediaType(value)
            for name in extensions.split(separator: " ") { types[String(name)] = type }
        }
        return types
    }()

    private static let table: KeyValuePairs<String, String> = [
        "application/atom+xml": "atom", "application/epub+zip": "epub", "application/geo+json": "geojson",
        "application/gpx+xml": "gpx", "application/gzip": "gz tgz", "application/java-archive": "jar",
        "application/json": "json map", "application/jsonl": "jsonl", "application/ld+json": "jsonld",
        "application/manifest+json": "webmanifest", "application/mbox": "mbox", "application/msword": "doc dot",
        "application/octet-stream": "bin exe dll dmg iso img", "application/ogg": "ogx", "application/pdf": "pdf",
        "application/pgp-encrypted": "pgp gpg", "application/pgp-keys": "asc", "application/pkcs10": "p10 csr",
        "application/pkcs12": "p12 pfx", "application/pkcs7-mime": "p7m p7c", "application/pkcs7-signature": "p7s",
        "application/pkix-cert": "cer", "application/postscript": "ps eps ai", "application/rss+xml": "rss",
        "application/rtf": "rtf", "application/sql": "sql", "application/toml": "toml",
        "application/vnd.amazon.ebook": "azw", "application/vnd.android.package-archive": "apk",
        "application/vnd.apple.installer+xml": "mpkg", "application/vnd.apple.keynote": "key",
        "application/vnd.apple.mpegurl": "m3u8", "application/vnd.apple.numbers": "numbers",
        "application/vnd.apple.pages": "pages", "application/vnd.apple.pkpass": "pkpass",
        "application/vnd.debian.binary-package": "deb", "application/vnd.google-earth.kml+xml": "kml",
        "application/vnd.google-earth.kmz": "kmz", "application/vnd.ms-excel": "xls",
        "application/vnd.ms-excel.sheet.macroEnabled.12": "xlsm", "application/vnd.ms-fontobject": "eot",
        "application/vnd.ms-outlook": "msg", "application/vnd.ms-powerpoint": "ppt pps",
        "application/vnd.ms-word.document.macroEnabled.12": "docm",
        "application/vnd.oasis.opendocument.graphics": "odg", "application/vnd.oasis.opendocument.presentation": "odp",
        "application/vnd.oasis.opendocument.spreadsheet": "ods", "application/vnd.oasis.opendocument.text": "odt",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow": "ppsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template": "xltx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "dotx", "application/vnd.rar": "rar",
        "application/vnd.sqlite3": "sqlite sqlite3 db", "application/vnd.tcpdump.pcap": "pcap",
        "application/vnd.visio": "vsd", "application/wasm": "wasm", "application/x-7z-compressed": "7z",
        "application/x-bzip2": "bz2", "application/x-ndjson": "ndjson", "application/x-sh": "sh",
        "application/x-tar": "tar", "application/x-x509-ca-cert": "crt der pem", "application/x-xz": "xz",
        "application/xhtml+xml": "xhtml xht", "application/xml": "xml xsd plist", "application/xslt+xml": "xsl xslt",
        "application/yaml": "yaml yml", "application/zip": "zip", "application/zstd": "zst", "audio/aac": "aac",
        "audio/ac3": "ac3", "audio/AMR": "amr", "audio/basic": "au snd", "audio/flac": "flac", "audio/matroska": "mka",
        "audio/midi": "mid midi", "audio/mp4": "m4a m4b", "audio/mpeg": "mp3 mp2 mpga", "audio/ogg": "ogg oga opus spx",
        "audio/vnd.wave": "wav", "audio/webm": "weba", "audio/x-aiff": "aif aiff aifc", "audio/x-caf": "caf",
        "audio/x-mpegurl": "m3u", "audio/x-ms-wma": "wma", "font/collection": "ttc", "font/otf": "otf",
        "font/ttf": "ttf", "font/woff": "woff", "font/woff2": "woff2", "image/apng": "apng", "image/avif": "avif",
        "image/bmp": "bmp dib", "image/gif": "gif", "image/heic": "heic", "image/heic-sequence": "heics",
        "image/heif": "heif", "image/jp2": "jp2", "image/jpeg": "jpg jpeg jpe jfif", "image/jxl": "jxl",
        "image/ktx": "ktx", "image/ktx2": "ktx2", "image/png": "png", "image/svg+xml": "svg svgz",
        "image/tiff": "tif tiff", "image/vnd.adobe.photoshop": "psd", "image/vnd.djvu": "djvu djv",
        "image/vnd.microsoft.icon": "ico cur", "image/webp": "webp", "image/x-adobe-dng": "dng",
        "image/x-canon-cr2": "cr2", "message/rfc822": "eml mht mhtml", "model/gltf+json": "gltf",
        "model/gltf-binary": "glb", "model/obj": "obj", "model/stl": "stl", "model/vnd.usdz+zip": "usdz",
        "text/calendar": "ics ifb", "text/css": "css", "text/csv": "csv", "text/html": "html htm",
        "text/javascript": "js mjs cjs", "text/markdown": "md markdown", "text/plain": "txt text log conf ini",
        "text/tab-separated-values": "tsv", "text/vcard": "vcf vcard", "text/vtt": "vtt", "video/3gpp": "3gp",
        "video/3gpp2": "3g2", "video/matroska": "mkv", "video/mp2t": "ts m2ts mts", "video/mp4": "mp4 m4v mpg4",
        "video/mpeg": "mpg mpeg mpe m1v m2v", "video/ogg": "ogv", "video/quicktime": "mov qt",
        "video/vnd.mpegurl": "mxu", "video/webm": "webm", "video/x-flv": "flv", "video/x-ms-wmv": "wmv",
        "video/x-msvideo": "avi",
    ]
}
