import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

struct BuilderErrorsTests {
    private static func error(_ make: () throws -> Void) throws -> any Error {
        do { try make() } catch { return error }
        throw CancellationError()
    }

    private static func errors() throws -> [any Error] {
        [
            try error { _ = try DefaultJsonEncoder().encode(Double.nan) },
            try error { _ = try URLRequest.post(url: url("https://h")).bodyFile(at: url("https://h")) },
            try error { _ = try URLRequest.get(url: url("https://h")).add(query: "a", value: Double.nan) },
            try error { _ = try HeaderField(name: "a b", value: "") },
            try error { _ = try EntityTag(parsing: "a") },
            try error { _ = try URLRequest.builder(baseURL: url("https://h")).get(path: "") },
            try error { _ = try URITemplate("{") },
            try error { _ = try HTTPMethod("a b") },
            try error { _ = try MediaType(parsing: "a") },
            try error { _ = try MultipartPart(name: "a", file: MultipartFormFilePart(file: url("https://h"))) },
            try error { _ = try MultipartBoundary("") },
            try error { _ = try URL(http: "") },
        ]
    }

    @Test func theLocalizedTextOfEachErrorOfABuilderIsItsSentence() throws {
        let errors = try Self.errors()
        #expect(Set(errors.map { "\(type(of: $0))" }).count == errors.count)
        for error in errors { #expect(error.localizedDescription == "\(error)") }
    }
}
