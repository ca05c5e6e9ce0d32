import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

/// Each public type with one secret, against each way in which Swift shows a value.
struct PublicTypesTests {
    /// Public types that can't hold a secret, by the reason.
    private static let excepted: [(reason: String, types: [String])] = [
        (
            "holds no value of a caller or a server",
            [
                "AlwaysLogFilter", "BodyStage", "DefaultLogStream", "EmptyResponse", "HeaderFieldsBuilder",
                "HeaderStage", "MultipartFormParts", "NoOpAdapter", "PathVerbStage", "QueryItemsBuilder", "QueryStage",
                "SystemTimeSource", "TestClock", "VerbStage",
            ]
        ),
        (
            "holds names, numbers, formats and rules of the program",
            [
                "AcceptedStatuses", "AuthenticationError.Reason", "AuthenticationInterceptor.Requirement", "Backoff",
                "CacheStatus", "CallJourney.Kind", "CircuitBreakerInterceptor", "CircuitBreakerInterceptor.Thresholds",
                "CircuitOpenError", "CompressionInterceptor", "ConcurrencyLimitInterceptor", "Cookie.SameSite",
                "DeadlineInterceptor",
                "DefaultDecoder", "DefaultDecoder.Implementation", "DefaultFormEncoder", "DefaultJsonEncoder",
                "DefaultLogger", "EntityTag", "EnvelopeDecoder", "FormStyle", "FormStyle.ArrayStyle",
                "FormStyle.BooleanStyle", "FormStyle.DateStyle", "FormStyle.KeyStyle", "FormStyle.NestingStyle",
                "GraphQLError.Location", "GraphQLError.PathComponent", "GraphQLOperation.Kind", "HTTPMethod",
                "HTTPStatus", "HTTPStatus.Kind", "HeaderMasks", "HeadersInterceptor.Mode", "IdempotencyKeyInterceptor",
                "InterceptorStack.NumbersError", "EntityTagError", "HTTPMethodError", "MediaTypeError",
                "MediaTypeError.Reason", "MultipartBoundaryError", "Jitter", "LimitScope", "LogRedaction",
                "LogType", "LoggingInterceptor", "MalformedValue", "MappingDecoder", "MediaType",
                "MediaType.Parameter", "MediaTypeDecoder", "MultipartBoundary", "NetworkLogFormatter",
                "NetworkLoggingLevel", "NetworkLoggingType", "NextPage", "NullHandlingDecoder", "OAuthError.Code",
                "PercentEncoding", "QueueFullError", "RateLimitInterceptor", "Reconnection", "RedirectPolicy",
                "RequestCoding", "ResponseCache.Limits", "ResponseCache.Statistics", "ResumeToken", "RetryBudget",
                "RetryInterceptor", "RetryPolicy", "Route", "StatusCase",
                "StreamEnd", "StreamFailures", "StubTransport.Ending", "TokenSession.RefreshPolicy", "TraceContext",
                "TracingInterceptor", "TransferProgress", "TransferProgress.Updates",
                "TransferProgress.Updates.Iterator",
                "TransportError.Reason", "TransportError.SecurityFailure", "TransportMetrics", "ServerTiming",
                "CurlTransport.Versions",
                "TransportSecurity.Version", "URITemplate", "URLRequestBuilderOptions", "WebSocketCloseCode",
                "WebSocketOptions",
            ]
        ),
        (
            "names a file",
            [
                "BodySourceError", "CredentialFileError", "FileBodySource", "FileCredentialStore",
                "GraphQLDocumentError", "MultipartFormFilePart", "MultipartFormFilePart.Error",
                "MultipartFormFilePart.MimeType",
            ]
        ),
        ("holds values of the caller, which show themselves", ["CallOptions", "Either", "ResponseErrorMapper"]),
        ("is a type without values", ["BodyPart", "HeaderPart", "PathPart", "QueryPart"]),
        ("belongs to Foundation", ["HTTPURLResponse", "URL", "URLRequest", "UUID"]),
    ]

    @Test(.spec(238)) func noPublicTypeShowsTheSecretWithWhichItIsMade() async throws {
        let values = try await Self.values()
        for value in values {
            for text in Self.texts(of: value) where Self.showsSecret(text) {
                Issue.record("\(Self.name(of: value)) shows the secret: \(text)")
            }
        }
        let known = Set(values.map(Self.name)).union(Self.excepted.flatMap(\.types))
        let listed = try Self.listedTypes()
        expect(listed.subtracting(known).sorted(), [], "neither made here nor excepted")
        expect(known.subtracting(listed).sorted(), [], "not in the list of the API")
    }

    @Test func aClientIsEqualToItselfOnly() {
        let clients = [NetworkClient(), NetworkClient()]
        expect(Set(clients + clients).count, 2)
        #expect(clients[0] == clients[0] && clients[0] != clients[1])
    }

    private static func texts(of value: Any) -> [String] {
        var texts = ["\(value)", "", "", ""]
        print(value, to: &texts[1])
        debugPrint(value, to: &texts[2])
        dump(value, to: &texts[3])
        return texts
    }

    /// Returns whether a text contains the secret, or its bytes as decimal numbers.
    private static func showsSecret(_ text: String) -> Bool {
        let bytes = text.split { !$0.isASCII || !$0.isNumber }.compactMap { UInt8($0) }
        return text.contains(secret) || String(decoding: bytes, as: UTF8.self).contains(secret)
    }

    /// Returns the name of a value's type as in the list of the API: without the module and without type arguments.
    private static func name(of value: Any) -> String {
        var depth = 0
        let name = String(reflecting: type(of: value)).filter { character in
            if character == "<" { depth += 1 }
            defer { if character == ">" { depth -= 1 } }
            return depth == 0
        }
        return name.split(separator: ".").dropFirst().joined(separator: ".")
    }

    private static func listedTypes() throws -> Set<String> {
        let folder = PackageFiles.root.appendingPathComponent("scripts/api")
        let lines = try PackageFiles.files(in: folder).flatMap {
            try String(contentsOf: $0, encoding: .utf8).split(separator: "\n")
        }
        let names = lines.compactMap { line -> String? in
            let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
            guard let name = words.first, name.hasSuffix(":") else { return nil }
            let kind = words.dropFirst().first { !$0.hasPrefix("@") && $0 != "final" }
            return kind.map { ["struct", "class", "enum", "actor"].contains($0) } == true ? "\(name.dropLast())" : nil
        }
        #if os(Linux)
        return Set(names)
        #else
        return Set(names.filter { !$0.hasPrefix("CurlTransport") })
        #endif
    }
}
