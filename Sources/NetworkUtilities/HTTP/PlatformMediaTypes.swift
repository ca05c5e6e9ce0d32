#if canImport(UniformTypeIdentifiers)
import UniformTypeIdentifiers
#endif

/// The media types of file extensions in the database of the platform: `UTType` on Apple platforms, `/etc/mime.types`
/// elsewhere.
enum PlatformMediaTypes {
    /// Returns the media type of a lowercased extension; nil if the platform knows none.
    static func type(ofExtension fileExtension: String) -> MediaType? {
        #if canImport(UniformTypeIdentifiers)
        return UTType(filenameExtension: fileExtension)?.preferredMIMEType.flatMap { try? MediaType(parsing: $0) }
        #else
        return file[fileExtension]
        #endif
    }

    #if !canImport(UniformTypeIdentifiers)
    private static let file = MediaTypesFile(path: "/etc/mime.types")
    #endif
}

#if !canImport(UniformTypeIdentifiers)
/// A file in the format of `/etc/mime.types`: in each line a media type and its extensions, separated by white space.
///
/// It is read once. Lines that aren't valid, and what follows the first mebibyte, are ignored.
struct MediaTypesFile: Sendable {
    private static let maximumLength = 1 << 20
    private static let maximumExtensionLength = 64

    private var types: [String: MediaType] = [:]

    init(path: String) {
        self.init(text: Self.contents(of: path))
    }

    init(text: some Collection<UInt8>) {
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let words = line.prefix { $0 != UInt8(ascii: "#") }.split { ASCII.isWhiteSpace($0) }
            guard words.count > 1, let type = try? MediaType(parsing: String(decoding: words[0], as: UTF8.self)) else {
                continue
            }
            for word in words.dropFirst() where word.count <= Self.maximumExtensionLength {
                let fileExtension = String(decoding: word, as: UTF8.self).lowercased()
                if types[fileExtension] == nil { types[fileExtension] = type }
            }
        }
    }

    subscript(fileExtension: String) -> MediaType? { types[fileExtension] }

    private static func contents(of path: String) -> [UInt8] {
        // Follows a link, as some distributions have one; reading a pipe would block.
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular, let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: maximumLength)
        else { return [] }
        guard bytes.count == maximumLength else { return Array(bytes) }
        // The last line may be cut.
        return Array(bytes[..<(bytes.lastIndex(of: 0x0A) ?? 0)])
    }
}
#endif
