import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct GraphQLDocumentTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func aGraphQLLiteralIsTheTextOfItsDocument() throws {
        let document: GraphQLDocument = "{ a }"
        expect(try document.text(), "{ a }")
        expect(document, GraphQLDocument("{ a }"))
    }

    @Test(.spec(159)) func aFileWithAGraphQLDocumentIsReadOnce() throws {
        let file = try directory.file("Viewer.graphql", "\u{FEFF}query { a } # é")
        expect(try GraphQLDocument.file(at: file).text(), "query { a } # é")
        try FileManager.default.removeItem(at: file)
        expect(try GraphQLDocument.file(at: file).text(), "query { a } # é")
    }

    @Test(.spec(159)) func aResourceOfABundleIsReadOnce() throws {
        _ = try directory.file("Viewer.graphql", "query { b }")
        let bundle = try #require(Bundle(url: directory.url))
        expect(try GraphQLDocument.resource("Viewer", in: bundle).text(), "query { b }")
        try FileManager.default.removeItem(at: directory.url.appendingPathComponent("Viewer.graphql"))
        expect(try GraphQLDocument.resource("Viewer", in: bundle).text(), "query { b }")
        #expect(throws: GraphQLDocumentError.self) {
            try GraphQLDocument.resource("Viewer", withExtension: "gql", in: bundle).text()
        }
    }

    @Test(.spec(159)) func aMissingFileIsAnErrorThatNamesItUntilItIsThere() async throws {
        let file = directory.url.appendingPathComponent("Missing.graphql")
        let client = NetworkClient(transport: StubTransport(), configuration: .init(baseURL: url("https://h")))
        let operation = GraphQLOperation<Viewer>.query(.file(at: file))
        let error = await #expect(throws: GraphQLDocumentError.self) { try await client.fetch(operation).item }
        expect(error, .missing(name: file.path))
        expect(error?.localizedDescription, "The GraphQL document '\(file.path)' is missing.")
        _ = try directory.file("Missing.graphql", "{ a }")
        expect(try operation.document.text(), "{ a }")
    }

    @Test(.spec(159)) func aMissingResourceIsAnErrorThatNamesItAndItsBundle() throws {
        let bundle = try #require(Bundle(url: directory.url))
        let error = #expect(throws: GraphQLDocumentError.self) {
            try GraphQLDocument.resource("Absent", in: bundle).text()
        }
        expect(
            error?.description,
            "The GraphQL document 'Absent.graphql in the bundle \(directory.url.path)' is missing."
        )
    }

    @Test func aFileThatIsNoDocumentIsAnErrorWithTheReason() throws {
        let cases: [(URL, String)] = [
            (directory.url, "it is not a regular file that can be read"),
            (url("https://h/a?token=secret"), "it is not a regular file that can be read"),
            (try directory.file("empty", " \n"), "it is empty"),
            (try directory.file("bytes", Data([0xFF, 0xFE, 0xFF])), "it is not valid UTF-8"),
            (try directory.sparseFile("huge", length: 1 << 40), "it has more than 1048576 bytes"),
        ]
        for (file, reason) in cases {
            let error = #expect(throws: GraphQLDocumentError.self) { try GraphQLDocument.file(at: file).text() }
            expect(
                error?.description.hasSuffix("' cannot be used: \(reason)."),
                true,
                "\(String(describing: error))"
            )
            expect(error?.description.contains("secret"), false)
        }
    }

    @Test func aFileCanBeReadByManyTasksAtOnce() async throws {
        let file = try directory.file("Many.graphql", "query { many }")
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 1...64 { group.addTask { try GraphQLDocument.file(at: file).text() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        expect(texts, ["query { many }"])
    }
}
