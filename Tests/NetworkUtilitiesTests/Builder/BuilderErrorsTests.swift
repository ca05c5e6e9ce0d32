import NetworkUtilities

struct BuilderErrorsTests {
    @Test func theLocalizedTextOfEachErrorOfABuilderIsItsSentence() throws {
        let failing: [() throws -> Any] = [
            { try DefaultJsonEncoder().encode(Double.nan) },
            { try URLRequest.post(url: url("https://h")).bodyFile(at: url("https://h")) },
            { try URLRequest.get(url: url("https://h")).add(query: "a", value: Double.nan) },
            { try HeaderField(name: "a b", value: "") },
            { try EntityTag(parsing: "a") },
            { try URLRequest.builder(baseURL: url("https://h")).get(path: "") },
            { try URITemplate("{") },
            { try HTTPMethod("a b") },
            { try MediaType(parsing: "a") },
            { try MultipartPart(name: "a", file: MultipartFormFilePart(file: url("https://h"))) },
            { try MultipartBoundary("") },
            { try URL(http: "") },
        ]
        let errors = try failing.map { make in try #require(throws: (any Error).self) { try make() } }
        expect(Set(errors.map { "\(type(of: $0))" }).count, failing.count)
        for error in errors { expect(error.localizedDescription, "\(error)") }
    }
}
