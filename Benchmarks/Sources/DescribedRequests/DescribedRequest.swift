#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// One request as one author writes it.
public struct DescribedRequest: Sendable {
    /// What kind of request it is.
    public let kind: RequestKind

    /// Who writes it.
    public let author: RequestAuthor

    private let prepared: PreparedRequest

    /// Chooses; for ``RequestAuthor/floor`` everything is made here.
    ///
    /// - Parameters:
    ///   - kind: What kind of request.
    ///   - author: Who writes it.
    /// - Throws: What describing it throws.
    public init(_ kind: RequestKind, by author: RequestAuthor) throws {
        self.kind = kind
        self.author = author
        prepared = PreparedRequest(try Self.make(kind, by: .builder, prepared: nil))
    }

    /// Every kind as every author writes it, the authors of one kind side by side.
    ///
    /// - Returns: All of them.
    /// - Throws: What describing one throws.
    public static func all() throws -> [DescribedRequest] {
        try RequestKind.allCases.flatMap { kind in
            try RequestAuthor.allCases.map { try DescribedRequest(kind, by: $0) }
        }
    }

    /// Writes it once.
    ///
    /// - Returns: The request.
    /// - Throws: What its body's encoder throws.
    public func make() throws -> URLRequest {
        try Self.make(kind, by: author, prepared: prepared)
    }

    /// Writes it again and again, in one call that a counter of instructions can find by its name.
    ///
    /// - Parameter count: How often.
    /// - Throws: What its body's encoder throws.
    @inline(never)
    public func makeRepeatedly(_ count: Int) throws {
        for _ in 0..<count { Self.keep(try make()) }
    }

    /// Opaque, so that no request is left out because nobody looks at it.
    @inline(never)
    private static func keep(_ request: URLRequest) {
        withExtendedLifetime(request) {}
    }

    private static func make(
        _ kind: RequestKind,
        by author: RequestAuthor,
        prepared: PreparedRequest?
    ) throws -> URLRequest {
        switch (author, kind) {
        case (.builder, .query): ByBuilder.query()
        case (.builder, .json): try ByBuilder.json()
        case (.builder, .form): try ByBuilder.form()
        case (.builder, .multipart): ByBuilder.multipart()
        case (.hand, .query): try ByHand.query()
        case (.hand, .json): try ByHand.json()
        case (.hand, .form): try ByHand.form()
        case (.hand, .multipart): ByHand.multipart()
        case (.floor, _): prepared?.make() ?? URLRequest(url: Input.url)
        }
    }
}
