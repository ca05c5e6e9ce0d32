import NetworkClient
import Testing
import Tracing

/// Values that a test collects in any task.
actor Collected<Value: Sendable> {
    private(set) var values: [Value]

    init(_ values: [Value] = []) {
        self.values = values
    }

    func append(_ value: Value) { values.append(value) }

    func popLast() -> Value? { values.popLast() }
}

/// Returns a GET of a URL.
func get(_ url: String) throws -> URLRequest { URLRequest(url: try #require(URL(string: url))) }

extension SpanAttributes {
    /// The attributes that are texts or numbers, as text.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        forEach { name, value in
            switch value {
            case .string(let text): texts[name] = text
            case .int64(let number): texts[name] = "\(number)"
            default: texts[name] = "another type"
            }
        }
        return texts
    }
}
