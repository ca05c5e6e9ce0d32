import NetworkClient

/// One step of the tour: a title, the code that runs, and the results.
protocol Step: Sendable {
    var title: String { get }
    var code: Snippet { get }

    /// Runs the step, checks the response, and returns the results.
    func run() async throws -> [Fact]
}

extension Step {
    /// Throws ``Unexpected`` if the two values differ.
    func expect<Value: Equatable>(_ what: String, _ found: Value?, is expected: Value) throws {
        guard found != expected else { return }
        throw Unexpected(description: "\(what) should be \(expected), but is \(found.map { "\($0)" } ?? "missing").")
    }
}

/// One result of a step: a label, and lines beside it.
struct Fact: Sendable {
    let label: String
    let lines: [String]

    init(_ label: String, _ lines: String...) {
        self.init(label, lines: lines)
    }

    init(_ label: String, lines: [String]) {
        self.label = label
        self.lines = lines
    }
}

extension Fact {
    /// Returns the request as the server saw it: its first line, some of its headers, and its body.
    static func wire<Value>(_ response: NetworkClient.Response<Value>, headers names: String...) -> Fact {
        guard let seen = SeenRequest(response) else { return Fact("wire", "not shown by this server") }
        let headers = names.compactMap { name in seen.headers[name].map { "\(name): \($0)" } }
        var body = seen.body.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        if body.last?.isEmpty == true { body.removeLast() }
        if !body.isEmpty { body.insert("", at: 0) }
        return Fact("wire", lines: ["\(seen.method) \(seen.target)"] + headers + body)
    }

    /// Returns the status of a response.
    static func status<Value>(_ response: NetworkClient.Response<Value>) -> Fact {
        Fact("status", "\(response.statusCode)")
    }

    /// Returns the decoded values, one on each line.
    static func values<Value>(_ values: [Value]) -> Fact {
        Fact("value", lines: values.map { "\($0)" })
    }
}

/// A result that the tour doesn't expect.
struct Unexpected: Error, CustomStringConvertible {
    /// The sentence for the user.
    let description: String
}
