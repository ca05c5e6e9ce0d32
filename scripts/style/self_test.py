"""Shows for every rule that code which keeps it passes and code which breaks it does not."""

from style.source import Source

SOURCE = "Sources/NetworkClient/Core/Client/Thing.swift"
TEST = "Tests/NetworkClientTests/Core/Client/ThingTests.swift"
TUTORIAL = "Sources/NetworkClient/NetworkClient.docc/Resources/Thing-1.swift"
PAGE = "Sources/NetworkClient/NetworkClient.docc/NetworkClient.md"


def function(lines):
    return "func f() {\n" + "    g()\n" * (lines - 2) + "}\n"


# Rule, path, texts that keep it, texts that break it.
CASES = [
    ("columns", SOURCE, ["// " + "x" * 117, "    message:\n    \"" + "x" * 130 + "\"\n"], ["// " + "x" * 118]),
    ("length", SOURCE, ["\n" * 300], ["\n" * 301, "\n" * 400]),
    ("too-long", SOURCE, ["\n" * 400], ["\n" * 401]),
    ("function-length", SOURCE, [
        function(40), "protocol P {\n    func f()\n" + "    var x: Int { get }\n" * 60 + "}\n",
        "func f() { \"{\" }\n" + "// {\n" * 50 + "}",
    ], [
        function(41),
        "struct S {\n    init(\n        a: Int = { 1 }()\n    ) {\n" + "        g()\n" * 40 + "    }\n}\n",
    ]),
    ("force", SOURCE, ["let a = try? b()", "let a = b as? C", "let a = \"try! as! b\"  // try!"],
     ["let a = try! b()", "let a = b as! C", "let a = \"\\(try! b())\""]),
    ("unsafe-isolation", TEST, ["nonisolated let a = 1"],
     ["nonisolated(unsafe) var a = 1", "@preconcurrency import A"]),
    ("unchecked-sendable", SOURCE, ["final class A: Sendable {}"], ["final class A: @unchecked Sendable {}"]),
    ("access", SOURCE, ["extension A { public func f() {} }", "func open() {}", "a.open()"],
     ["public extension A {}", "open class A {}", "open func f() {}", "@_spi(A) public func f() {}"]),
    ("inlinable", SOURCE, ["public func f() {}"], ["@inlinable public func f() {}", "@usableFromInline let a = 1"]),
    ("trap", SOURCE, [
        "extension A {\n    @available(*, unavailable, message: \"}\")\n    func f() -> A { fatalError() }\n}",
        "extension A {\n    @available(\n        *,\n        unavailable,\n        message:\n            \"f() { x\"\n"
        "    )\n    public func f() throws -> B { fatalError() }\n}",
        "@available(*, unavailable, message: \"a\")\nextension A {\n    func f() { fatalError() }\n}",
        "expect(true)", "/// fatalError()",
    ], [
        "func f() { fatalError() }", "precondition(true)", "preconditionFailure()", "assert(true)",
        "assertionFailure(\"\")",
        "@available(*, unavailable)\nfunc f() {}\nfunc g() { fatalError() }",
        "@available(iOS 15, *)\nfunc f() { fatalError() }",
    ]),
    ("sleep", SOURCE, ["func sleep(seconds: Double) async throws", "try await clock.sleep(seconds: 1)"],
     ["Thread.sleep(forTimeInterval: 1)", "usleep(5)"]),
    ("sleep", TEST, ["try await clock.sleep(seconds: 1)", "// Task.sleep"],
     ["try await Task.sleep(nanoseconds: 1)", "Thread.sleep(forTimeInterval: 1)", "usleep(1)", "sleep(1)"]),
    ("tests", TEST, ["import Testing", "@Test func testifies() {}"], ["import XCTest", "@Test func testA() {}"]),
    ("header", SOURCE, ["import Foundation", "/// A type.", "// Why each of them is safe."],
     ["// Thing.swift", "//\n//  Thing.swift", "/* Thing */", "\n// Created by A on 1.1.20", "\n// Copyright A"]),
    ("leftover", SOURCE, [
        "let a = 1  // let b = 2", "// The rest (as before).", "// for each of them, see f()", "// Returns early.",
        "/// let a = 1", "// expect: let a = 1", "// if this is so, it is not done (see A)", "let a = \"TODO\"",
    ], [
        "// TODO: more", "/// FIXME", "/* TODO */", "// let a = 1", "//    return f(x)", "// }", "// if a {",
        "// a.f(x)", "// import A", "//func f() {", "// try await a.f()",
    ]),
    ("words", SOURCE, ["// The response.", "let answer = 1", "/// Calls `answer(_:)`.", "// nil if there is none"],
     ["// The answer.", "/// Whoever waits.", "let a = 1  // a transport of the user's own", "// A text that is none."]),
    ("words", SOURCE, [
        "let a = \"answer\"", "let a = \"the response of \\(answer)\"", "func answerLate() {}", "public func respond(with answer: A) {}",
        "switch a {\ncase .answered: b()\n}", "public enum A {\n    case b(answer: Int)\n}", "enum A {\n    case answered\n}",
        "public enum A {\n    var b: Int {\n        switch c {\n        case answered: 1\n        }\n    }\n}",
    ], [
        "let a = \"the answer of \\(b)\"", "let a = \"\"\"\n    The first line.\n    The value is no number.\n    \"\"\"",
        "public func answerLate() {}", "public static let answered = 1", "public func respond(answer a: A) {}",
        "public enum A {\n    case sent, answered(B)\n}", "public protocol Answering {}\npublic struct Answer {}",
    ]),
    ("emoji", SOURCE, ["// a → b, ⏎"], ["// \u2705", "let a = \"\U0001f600\""]),
    ("emoji", TEST, ["let a = \"\U0001f600\""], ["// \U0001f600"]),
    ("mark", SOURCE, ["\n" * 150 + "// MARK: - A"], ["\n" * 149 + "// MARK: - A"]),
    ("import", SOURCE, ["public import Foundation", "import NetworkUtilities", "import struct Foundation.URL"],
     ["import Synchronization", "internal import NetworkClient", "import struct System.FilePath"]),
    ("import", TUTORIAL, ["import NetworkClient\nimport Testing\n\n@testable import Thing"], []),
    ("too-new", SOURCE, [
        "if #available(macOS 13, *) {\n    a.path()\n}", "@available(iOS 16, *)\nfunc f(_ d: Duration)", "a.path",
        "let a = DefaultLogger()", "// Mutex", "\"Regex\"", "any Transport", "a.data(of: b)",
        "Task.sleep(nanoseconds: 1)", "func append(_ a: Int)", "case duration", "struct TestClock: TimeSource",
        "#if os(Linux)\na.path()\n#endif", "#if canImport(os)\n#else\nMutex(1)\n#endif",
        "#if !canImport(Darwin)\nRegex()\n#endif", "session.data(for: a)", "handle.readToEnd()", "UTType.png",
        "os.Logger()", "Logger(subsystem: a)", "let a: RawSpan", "a.withUTF8Span { $0 }",
    ], [
        "let a: MutableSpan<UInt8>", "let a: Span<UInt8>", "let a: [2 of Int] = InlineArray(repeating: 0)",
        "let a: Duration", "func f(clock: some Clock)", "struct A<C: Clock>", "ContinuousClock.now", "Mutex(1)",
        "OSAllocatedUnfairLock()", "Regex()", "URL(filePath: a)", "a.path()", "a.path(percentEncoded: false)",
        "a.appending(path: b)", "a.appending(queryItems: b)", "Task.sleep(for: .seconds(1))",
        "any Collection<Int>", "@available(*, unavailable)\nlet a: Duration",
        "if #available(macOS 13, *) {\n\n\n\n    a.path()\n}", "#if os(Linux)\n#else\na.path()\n#endif",
        "#if canImport(os)\na.path()\n#endif",
    ]),
    ("task", SOURCE, [
        "// Cancelled by `close`.\nlet a = Task {\n}", "let a: Task<Int, any Error>", "func f() -> Task<A, B> {}",
    ], [
        "Task { }", "// Runs.\nTask.detached {}", "Task<Int, Never> {}", "Task(priority: .high) {}",
        "// cancel\n\n\n\n\nTask {}",
    ]),
    ("file-name", SOURCE, [
        "struct Thing {}", "struct Thing {}\nstruct Other {}", "extension A {\n    struct Thing {}\n}", "typealias Thing = A", "func f() {}",
        "extension A where B == Thing {}",
    ], ["struct Other {}", "struct Other {}\nstruct Thing {}", "extension Other {}", "typealias Other = A", "actor Thin {}"]),
    ("file-name", "Sources/NetworkUtilities/Headers/URLRequest+Headers.swift",
     ["extension URLRequest {}", "struct URLRequest {}"], ["struct Headers {}", "extension URL {}"]),
    ("file-name", "Tests/NetworkUtilitiesTests/Headers/URLRequest+HeadersTests.swift",
     ["struct URLRequestHeadersTests {}"], ["struct HeadersTests {}"]),
    ("file-name", TUTORIAL, ["struct Other {}"], []),
    ("words", TUTORIAL, ["// The response."], ["// The answer."]),
    ("snippet-columns", TUTORIAL, ["x" * 84], ["x" * 85]),
    ("snippet-columns", SOURCE, ["x" * 85, f"/// ```\n/// {'x' * 84}\n/// ```\n/// {'x' * 85}"], [f"/// ```\n/// {'x' * 85}\n/// ```"]),
    ("name", SOURCE, ["struct Thing {}", "extension FileManager {}"], ["struct ThingManager {}", "enum URLUtils {}"]),
    ("public-any", SOURCE, ["public func f(a: any A)", "let a: Any", "public func f(a: AnyObject)",
                            "public func f() {\n    let a: Any\n}"],
     ["public func f(a: Any)", "public func f(\n    a: [String: Any]\n) {}", "public var a: Any? { nil }"]),
    ("public-tuple", SOURCE, ["public func f(a: A, b: B) -> C", "public let f: (A, B) -> C", "func f() -> (A, B)",
                              "public typealias F = @Sendable (A, B) -> C", "public func f() -> (A) -> B"],
     ["public func f() -> (A, B)", "public var a: (b: B, c: C) { d }", "public typealias A = (b: B, c: C)"]),
    ("comment-length", SOURCE, ["/// A\n" * 12 + "public func f() {}", "/// A\n" * 25 + "@frozen\nstruct Thing {}"],
     ["/// A\n" * 13 + "public func f() {}", "/// A\n" * 26 + "@frozen\nstruct Thing {}"]),
]

# Rule, path of a text, texts that keep it, texts that break it.
PAGES = [
    ("snippet-columns", "README.md", [
        f"```swift\n{'x' * 84}\n```\n", f"{'x' * 85}\n```swift\nlet a = 1\n```\n{'x' * 85}", f"| `{'x' * 85}` |",
    ], [f"```swift\n{'x' * 85}\n```", f"- A list:\n  ```bash\n{'x' * 85}\n  ```"]),
    ("snippet-columns", PAGE, [], [f"```\n{'x' * 85}\n```"]),
    ("snippet-columns", "CONTRIBUTING.md", [f"```swift\n{'x' * 85}\n```"], []),
    ("words", PAGE, ["The response.", "```swift\nlet answer = 1\n```"], ["The answer."]),
]

# Rule, paths that keep it, paths that break it.
TREES = [
    ("folder", ["Sources/NetworkUtilities/HTTP/A.swift", "Tests/Helpers/A.swift"],
     ["Sources/NetworkUtilities/Extensions/A.swift"]),
    ("folder", ["Sources/NetworkClient/Core/Client/A.swift"], ["Sources/NetworkClient/Core/Client/Models/A.swift"]),
    ("mirror", ["Sources/A/B/C.swift", "Tests/ATests/B/CTests.swift", "Tests/OtherTests/XTests.swift"],
     ["Sources/A/B/C.swift", "Tests/ATests/CTests.swift"]),
]

# Files that keep the layers, and files that break them: the last one of each uses the first one.
CHAIN = ("Sources/NetworkClient/Core/Chain/Chain.swift", "struct Chain {}")
COOKIE = ("Sources/NetworkClient/Cookies/Cookie.swift", "struct Cookie {}")
FAILURE = ("Sources/NetworkClient/Core/Chain/NetworkClient+Failure.swift", "extension NetworkClient {\n    enum Failure { case a }\n}")
CURL = ("Sources/NetworkClient/Transports/Curl/Engine.swift", "import CCurl\n\nstruct Engine {}")
LAYERS = [
    ([CURL], [("Sources/NetworkClient/Core/Decoding/Budget.swift", "import CCurl\n\nstruct Budget {}")]),
    ([CHAIN, (COOKIE[0], "struct Cookie {}")], [CURL, (CHAIN[0], "struct Chain { let engine: Engine }")]),
    ([("Sources/JSONDecoding/Budget.swift", "struct Budget {}")], [CHAIN, (CURL[0], "struct Engine { let chain: Chain }")]),
    ([(TUTORIAL, "struct Cookie { let chain: Chain }"), COOKIE, (CHAIN[0], "struct Chain { let cookie: Cookie }")],
     [CHAIN, (COOKIE[0], "struct Cookie { let chain: Chain }")]),
    ([CHAIN, (COOKIE[0], "struct Cookie { let a: Other.Chain }  // Chain")],
     [CHAIN, (COOKIE[0], "extension Chain { func f() {} }\nstruct Cookie {}")]),
    ([CHAIN, (COOKIE[0], "struct Cookie {\n    struct Chain {}\n    let chain: Chain\n}")],
     [("Sources/NetworkClient/Errors/Failure.swift", "struct Failure {}")]),
    ([FAILURE, (CHAIN[0], "struct Chain { func f() { throw NetworkClient.Failure.a } }")],
     [FAILURE, (COOKIE[0], "struct Cookie { func f() { throw NetworkClient.Failure.a } }")]),
    ([FAILURE, (COOKIE[0], "struct Cookie { let a: Other.NetworkClient.Failure, b: Failure }  // NetworkClient.Failure")],
     [FAILURE, (COOKIE[0], "extension NetworkClient { func f() { throw Failure.a } }")]),
    ([FAILURE, (COOKIE[0], "extension NetworkClient {\n    struct Jar {}\n}\nstruct Cookie { let jar: NetworkClient.Jar }")],
     [FAILURE, (COOKIE[0], "extension NetworkClient.Failure { var cookie: Cookie? { nil } }\nstruct Cookie {}")]),
    ([("Sources/NetworkClient/Core/Client/Types.swift", "extension NetworkClient {\n    typealias Cookie = A\n}"), COOKIE,
      (CHAIN[0], "extension NetworkClient { let cookie: Cookie, other: NetworkClient.Cookie }\nstruct Chain {}")],
     [("Sources/NetworkClient/Core/Client/Types.swift", "extension NetworkClient {\n    typealias Result = A\n}"),
      (COOKIE[0], "struct Cookie { let result: NetworkClient.Result }")]),
    ([("Sources/NetworkClient/Transport/Transport.swift", "protocol Transport {}"),
      ("Sources/NetworkClient/Transports/Curl/Engine.swift", "struct Engine: Transport {}")],
     [("Sources/NetworkClient/Transports/Curl/Engine.swift", "struct Engine {}"),
      ("Sources/NetworkClient/Transport/Bodies/Body.swift", "struct Body { let engine: Engine }")]),
]

# Rule, a Swift file, texts that keep it, texts that break it.
SUITE = ("Tests/ATests/CurlTests.swift", "struct CurlTests {\n    @Test func aCallEnds() {}\n}\nfunc other() {}")
TYPE = (SOURCE, "public struct Thing {\n    public struct Part {}\n}\nstruct Hidden {}")
REFERENCES = [
    ("test-name", SUITE, ["`CurlTests.aCallEnds` and `CurlTests`", "`Curl.other`, `other`"],
     ["`CurlTests.aCallBegins`", "`CurlTests.other`", "`CurlsTests`"]),
    ("topic", TYPE, ["# A\n## Topics\n- ``Thing``", "\n## Topics\n- ``A/Thing``", "\n## Topics\nOn Linux, `Thing`."],
     ["``Thing``\n## Topics\n- ``Part``", "\n## Topics\n- ``Thingy``"]),
]


def run(check_file, check_page, check_tree, check_layers, check_references):
    """Prints what the rules get wrong; returns 1 if there is anything, else 0."""
    mistakes = []

    def expect(expected, rule, shown, found):
        if any(each.rule == rule for each in found) != expected:
            mistakes.append(f"{rule} {'misses' if expected else 'must not report'}:\n{shown}")

    for rule, path, keeping, breaking in CASES:
        for expected, texts in ((False, keeping), (True, breaking)):
            for text in texts:
                expect(expected, rule, text, check_file(path, text))
    for rule, path, keeping, breaking in PAGES:
        for expected, texts in ((False, keeping), (True, breaking)):
            for text in texts:
                expect(expected, rule, text, check_page(path, text))
    for rule, keeping, breaking in TREES:
        expect(False, rule, keeping, check_tree(keeping))
        expect(True, rule, breaking, check_tree(breaking))
    for keeping, breaking in LAYERS:
        expect(False, "layer", keeping, check_layers([Source(*each) for each in keeping]))
        expect(True, "layer", breaking, check_layers([Source(*each) for each in breaking]))
    for rule, file, keeping, breaking in REFERENCES:
        for expected, texts in ((False, keeping), (True, breaking)):
            for text in texts:
                expect(expected, rule, text, check_references([Source(*file)], [(PAGE, text)]))
    groups = len(CASES) + len(PAGES) + len(TREES) + len(LAYERS) + len(REFERENCES)
    print("\n".join(mistakes) if mistakes else f"{groups} groups of examples, all as they should be")
    return 1 if mistakes else 0
