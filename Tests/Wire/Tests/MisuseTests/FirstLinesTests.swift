#if os(macOS) || os(Linux)
import Foundation
import NetworkTestSupport
import Testing

/// What people type first, from the habit of other libraries: the compiler's first message says what to write.
@Suite(.enabled(if: SwiftCompiler.isAvailable, "swiftc and the built modules are needed"))
struct FirstLinesTests {
    /// A line of a program, and a part of the first message about it; nil for a line that compiles.
    struct Line: Sendable, CustomTestStringConvertible {
        let code: String
        let message: String?

        var testDescription: String { code }
    }

    /// Steps that no builder has, and what the message says of each.
    private static let steps = [
        (".timeout(5)", "a request's limit is idleTimeout(_:) in seconds"),
        (#".header("Accept", "x")"#, "a header field is set(header: .custom(name:"),
        (#".query("page", 1)"#, "an item of the query is add(query:"),
        (".json(value)", "a JSON body is bodyJson(of: value)"),
        (#".form(["a": "b"])"#, "a form is bodyForm(params:"),
        (#".basicAuth(user: "a", password: "b")"#, "a credential is set(header: .authorization(try .basic(user:"),
        (".acept(type: .json)", "Stage>' has no member 'acept'"),
        (#".add(qeury: "a", value: 1)"#, "have 'qeury:value:', expected 'query:value:'"),
    ]

    /// The calls; `%` is the step.
    private static let calls = [
        #"try await client.fetch(.get(path: "a")%)"#,
        #"_ = try await client.fetch(.get(path: "a")%, as: [Int].self)"#,
        #"let _: [Int] = try await client.fetch(.get(path: "a")%).item"#,
        #"try await client.fetch(.delete(path: "a")%)"#,
        #"try await client.fetch(.post(path: "a")%)"#,
        #"_ = try await client.fetch(.put(path: "a").noBody()%, as: Int.self)"#,
        #"_ = try await client.fetch(.patch(path: "a").noBody()%, as: Int.self)"#,
        #"_ = try await client.stream(.get(path: "a")%)"#,
        #"_ = try client.upload(.post(path: "a").noBody()%)"#,
        #"_ = try client.upload(.post(path: "a").noBody()%, as: Int.self)"#,
        #"_ = try client.download(.get(path: "a")%, to: url)"#,
        #"_ = try client.events(.get(path: "a")%)"#,
        #"_ = try client.pages(.get(path: "a")%, as: [Int].self)"#,
    ]

    private static let request = #"a call is fetch with a request: fetch(.get(path: "items"), as: [Item].self)"#
    private static let builtRequest = "a URLRequest is sent by fetch(request: request, as: Data.self)"
    private static let settings = "all requests get their header fields and their deadline from interceptors"
    private static let session = "a token that changes is that of a session: .bearer(store:"

    private static let others: [(String, String?)] = [
        (#"try await client.get("items")"#, request),
        (#"_ = try await client.get("items", as: [Int].self)"#, request),
        (#"let _: [Int] = try await client.get("items")"#, request),
        (#"try await client.post("items", body: value)"#, request),
        (#"let _: Int = try await client.post("items", body: value)"#, request),
        ("_ = CallOptions(timeout: 5)", "a call's limits are idleTimeout:, attemptTimeout: and deadline:"),
        ("try await client.request(url)", request),
        (#"try await client.request("items", method: .post)"#, request),
        (#"try await client.fetch("items")"#, request),
        ("_ = try await client.data(for: URLRequest(url: url))", builtRequest),
        ("_ = try await client.data(from: url)", builtRequest),
        ("try await client.execute(URLRequest(url: url))", builtRequest),
        (#"_ = try await client.send(.get(path: "a"))"#, "has been renamed to 'fetch(_:as:options:)'"),
        (#"_ = try await client.send(.get(path: "a"), as: [Int].self).value"#, "has been renamed to 'fetch"),
        (#"_ = NetworkClient(interceptors: [.retry(), .authentication(.bearer { "token" })])"#, session),
        ("_ = NetworkClient(interceptors: [.authentication(.bearer { try await token() })])", session),
        ("_ = NetworkClient(cookies: CookieStore())", settings),
        ("_ = NetworkClient(timeout: 5)", settings),
        (#"_ = NetworkClient(headers: ["a": "b"])"#, settings),
        (#"_ = try NetworkClient(baseURL: "https://a.example", headers: ["a": "b"], timeout: 5)"#, settings),
        ("_ = NetworkClient.Configuration(time: .system)", nil),
        ("_ = NetworkClient(logging: .off)", nil),
        ("_ = try await client.request.get(path: \"a\").build()", nil),
    ]

    static let lines: [Line] =
        calls.flatMap { call in
            steps.map { Line(code: call.replacingOccurrences(of: "%", with: $0.0), message: $0.1) }
        } + others.map { Line(code: $0.0, message: $0.1) }

    /// The first errors by the index of their line: each line stands in a function, on the second of three lines.
    private static let errors = Task {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let file = folder.url.appendingPathComponent("FirstLines.swift")
        let head = [
            "import Foundation", "import NetworkClient", "import NetworkUtilities",
            "func token() async throws -> String { \"\" }",
        ]
        let functions = lines.indices.flatMap { index in
            ["func f\(index)(client: NetworkClient, value: Int, url: URL) async throws {", lines[index].code, "}"]
        }
        try Data((head + functions).joined(separator: "\n").utf8).write(to: file)
        let diagnostics = try await SwiftCompiler().diagnostics(in: [file], check: .types)
        return Dictionary(
            diagnostics.filter(\.isError).map { (($0.line - head.count - 2) / 3, $0.message) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test(.spec(309, 310), arguments: lines.indices)
    func theFirstMessageSaysWhatToWrite(index: Int) async throws {
        let (line, error) = (Self.lines[index], try await Self.errors.value[index])
        guard let message = line.message else {
            #expect(error == nil, "\(line.code)")
            return
        }
        #expect(error?.contains(message) == true, "\(line.code): \(error ?? "compiles")")
    }
}
#endif
