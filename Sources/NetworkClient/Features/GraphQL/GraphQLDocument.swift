/// The text of a GraphQL operation and its fragments: a literal, a file, or a resource of a bundle.
///
/// ```swift
/// let literal: GraphQLDocument = "query Viewer { viewer { name } }"
/// let resource = GraphQLDocument.resource("Viewer", in: .main)  // Viewer.graphql
/// ```
/// A file or a resource is read when it is sent for the first time, and kept in memory until the process ends; a failed
/// attempt to read it is repeated the next time. Put values into variables, not into the text, where you would have to
/// escape them; so a document has no string interpolation.
public struct GraphQLDocument: Hashable, Sendable, ExpressibleByStringLiteral {
    private enum Source: Hashable {
        case text(String)
        case file(URL)
        case resource(name: String, fileExtension: String?, bundle: URL)
    }

    /// The maximum length of a file in bytes.
    private static let maximumLength = 1 << 20

    /// The texts that have been read.
    private static let texts = Locked<[Source: String]>([:])

    private let source: Source

    /// Creates a document from its text.
    public init(_ text: String) {
        source = .text(text)
    }

    /// Creates a document from its text.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// A document in a local file of up to 1 MiB, in UTF-8.
    public static func file(at url: URL) -> GraphQLDocument { GraphQLDocument(.file(url.absoluteURL)) }

    /// A document in a resource of a bundle, of up to 1 MiB, in UTF-8.
    ///
    /// - Parameters:
    ///   - name: The name of the file without its extension.
    ///   - fileExtension: The extension of the file; nil if the name has it already.
    ///   - bundle: The bundle, such as `.module` in a package.
    /// - Returns: A document that is read when it is sent.
    public static func resource(
        _ name: String,
        withExtension fileExtension: String? = "graphql",
        in bundle: Bundle = .main
    ) -> GraphQLDocument {
        GraphQLDocument(.resource(name: name, fileExtension: fileExtension, bundle: bundle.bundleURL))
    }

    private init(_ source: Source) {
        self.source = source
    }

    /// Returns the text, which is read from the disk at most once.
    ///
    /// - Throws: ``GraphQLDocumentError`` if the file or the resource is missing or can't be read.
    public func text() throws(GraphQLDocumentError) -> String {
        if case .text(let text) = source { return text }
        if let text = Self.texts.withLock({ $0[source] }) { return text }
        let text = try read()
        return Self.texts.withLock { texts in
            // Another thread may have read the file at the same time.
            let known = texts[source] ?? text
            texts[source] = known
            return known
        }
    }

    private func read() throws(GraphQLDocumentError) -> String {
        let name = name
        let data: Data
        do {
            guard let url = fileURL else { throw GraphQLDocumentError.missing(name: name) }
            data = try Self.bytes(of: FileBodySource(url: url), name)
        } catch let error as GraphQLDocumentError {
            throw error
        } catch BodySourceError.fileMissing {
            throw .missing(name: name)
        } catch {
            throw .unreadable(name: name, reason: "it is not a regular file that can be read")
        }
        guard let text = String(data: data.withoutUTF8ByteOrderMark, encoding: .utf8) else {
            throw .unreadable(name: name, reason: "it is not valid UTF-8")
        }
        guard text.contains(where: { !$0.isWhitespace }) else { throw .unreadable(name: name, reason: "it is empty") }
        return text
    }

    private static func bytes(of file: FileBodySource, _ name: String) throws -> Data {
        guard file.length <= maximumLength else {
            throw GraphQLDocumentError.unreadable(name: name, reason: "it has more than \(maximumLength) bytes")
        }
        return try file.contents()
    }

    private var fileURL: URL? {
        switch source {
        case .text: nil
        case .file(let url): url
        case .resource(let name, let fileExtension, let bundle):
            Bundle(url: bundle)?.url(forResource: name, withExtension: fileExtension)
        }
    }

    /// The path of the file, or the file name of the resource.
    private var name: String {
        switch source {
        case .text: ""
        case .file(let url): url.isFileURL ? url.path : url.shownPlace
        case .resource(let name, let fileExtension, let bundle):
            "\(fileExtension.map { "\(name).\($0)" } ?? name) in the bundle \(bundle.path)"
        }
    }
}

extension GraphQLDocument: OpaqueValue {}

/// The error for a ``GraphQLDocument`` whose file or resource can't be read; nothing is sent.
@nonexhaustive
public enum GraphQLDocumentError: Error, Hashable, Sendable {
    /// The file or resource is missing.
    case missing(name: String)

    /// The file or the resource can't be used.
    case unreadable(name: String, reason: String)
}

extension GraphQLDocumentError: DescribedError {
    /// One sentence that names the file.
    public var description: String {
        switch self {
        case .missing(let name): "The GraphQL document '\(name)' is missing."
        case .unreadable(let name, let reason): "The GraphQL document '\(name)' cannot be used: \(reason)."
        }
    }
}
