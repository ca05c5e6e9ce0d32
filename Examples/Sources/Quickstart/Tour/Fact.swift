import NetworkClient

/// One thing that came of a step: a label, and what stands beside it.
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
    /// The request as the server saw it: its first line, some of its headers, and its body.
    static func wire(_ seen: SeenRequest, headers names: String...) -> Fact {
        let headers = names.compactMap { name in seen.headers[name].map { "\(name): \($0)" } }
        var body = seen.body.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        if body.last?.isEmpty == true { body.removeLast() }
        if !body.isEmpty { body.insert("", at: 0) }
        return Fact("wire", lines: ["\(seen.method) \(seen.target)"] + headers + body)
    }

    /// The status of an answer.
    static func status<Value>(_ response: NetworkClient.Response<Value>) -> Fact {
        Fact("status", "\(response.httpResponse.statusCode)")
    }

    /// The decoded answer, each value on a line of its own.
    static func values<Value>(_ values: [Value]) -> Fact {
        Fact("value", lines: values.map { "\($0)" })
    }
}
