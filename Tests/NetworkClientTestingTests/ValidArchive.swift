import Foundation
import NetworkUtilities
import Testing

/// An archive whose members were checked against HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/).
struct ValidArchive {
    /// The members of each entry by their paths, such as `response.content.text`; elements of arrays by their number.
    let entries: [[String: String]]

    /// Reads an archive, and records an issue for each member that is missing or has another type.
    init(_ archive: Data) throws {
        let top = try #require(try JSONSerialization.jsonObject(with: archive) as? [String: Any])
        let log = Self.check(top["log"], "log", texts: ["version"], objects: ["creator"], arrays: ["entries"])
        _ = Self.check(log["creator"], "creator", texts: ["name", "version"])
        let entries = log["entries"] as? [Any] ?? []
        entries.forEach(Self.check(entry:))
        self.entries = entries.map { entry in
            var members: [String: String] = [:]
            Self.collect(entry, "", into: &members)
            return members
        }
    }

    /// The members of one name, of all entries in their order.
    subscript(name: String) -> [String?] { entries.map { $0[name] } }

    private static func collect(_ value: Any, _ path: String, into members: inout [String: String]) {
        let prefix = path.isEmpty ? "" : path + "."
        switch value {
        case let object as [String: Any]: for (name, value) in object { collect(value, prefix + name, into: &members) }
        case let array as [Any]:
            for (index, value) in array.enumerated() { collect(value, prefix + "\(index)", into: &members) }
        default: members[path] = "\(value)"
        }
    }

    private static func check(entry: Any) {
        let entry = check(
            entry,
            "entry",
            texts: ["startedDateTime"],
            numbers: ["time"],
            objects: ["request", "response", "cache", "timings"]
        )
        #expect((entry["startedDateTime"] as? String).flatMap { InternetDateTime.date(from: $0) } != nil)
        let timings = check(
            entry["timings"],
            "timings",
            numbers: ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"]
        ).compactMapValues { $0 as? Double }
        for name in ["send", "wait", "receive"] { #expect(timings[name] ?? -1 >= 0, "\(name) is \(timings)") }
        let sum = timings.filter { $0.key != "ssl" && $0.value != -1 }.values.reduce(0, +)
        #expect(abs(sum - (entry["time"] as? Double ?? -1)) < 0.01, "time is the sum of \(timings)")
        check(request: entry["request"])
        let response = checkMessage(
            entry["response"],
            "response",
            texts: ["statusText", "redirectURL"],
            numbers: ["status"],
            objects: ["content"]
        )
        let content = check(response["content"], "content", texts: ["mimeType"], numbers: ["size"])
        if let text = content["text"] { #expect(text is String) }
    }

    private static func check(request: Any?) {
        let request = checkMessage(request, "request", texts: ["method", "url"], arrays: ["queryString"])
        checkPairs(request["queryString"], "queryString")
        guard let data = request["postData"] else { return }
        let post = check(data, "postData", texts: ["mimeType", "text"], arrays: ["params"])
        for parameter in post["params"] as? [Any] ?? [] { _ = check(parameter, "params", texts: ["name"]) }
        #expect((post["params"] as? [Any])?.isEmpty == true || post["text"] as? String == "", "Only one of them.")
    }

    private static func checkMessage(
        _ value: Any?,
        _ name: String,
        texts: [String],
        numbers: [String] = [],
        objects: [String] = [],
        arrays: [String] = []
    ) -> [String: Any] {
        let object = check(
            value,
            name,
            texts: texts + ["httpVersion"],
            numbers: numbers + ["headersSize", "bodySize"],
            objects: objects,
            arrays: arrays + ["cookies", "headers"]
        )
        checkPairs(object["headers"], "\(name).headers")
        return object
    }

    private static func checkPairs(_ value: Any?, _ name: String) {
        for pair in value as? [Any] ?? [] { _ = check(pair, name, texts: ["name", "value"]) }
    }

    private static func check(
        _ value: Any?,
        _ name: String,
        texts: [String] = [],
        numbers: [String] = [],
        objects: [String] = [],
        arrays: [String] = []
    ) -> [String: Any] {
        guard let object = value as? [String: Any] else {
            Issue.record("'\(name)' is not an object")
            return [:]
        }
        for text in texts where !(object[text] is String) { Issue.record("'\(name).\(text)' is not a text") }
        for number in numbers where !(object[number] is NSNumber) { Issue.record("'\(name).\(number)' is no number") }
        for inner in objects where !(object[inner] is [String: Any]) { Issue.record("'\(name).\(inner)' is no object") }
        for array in arrays where !(object[array] is [Any]) { Issue.record("'\(name).\(array)' is not an array") }
        return object
    }
}
