extension URITemplate {
    /// What stands between braces: an operator, and the variables that it is applied to.
    struct Expression: Hashable, Sendable {
        /// The expression with its braces.
        let text: String
        let kind: Operator
        let variables: [Variable]
    }

    /// A name, and what is to become of its value.
    struct Variable: Hashable, Sendable {
        let name: String
        /// At most this many characters of a string; nil for all of them.
        var prefix: Int?
        /// Whether each part of a list or an associative array stands alone.
        var isExploded = false
    }

    /// How the values of an expression are written (RFC 6570 §3.2.1 and appendix A).
    enum Operator: UInt8, Hashable, Sendable {
        case simple = 0
        case reserved = 0x2B
        case fragment = 0x23
        case label = 0x2E
        case path = 0x2F
        case parameter = 0x3B
        case query = 0x3F
        case continuation = 0x26
    }
}

extension URITemplate.Operator {
    /// What the first value follows.
    var first: String {
        switch self {
        case .simple, .reserved: ""
        case .fragment: "#"
        case .label: "."
        case .path: "/"
        case .parameter: ";"
        case .query: "?"
        case .continuation: "&"
        }
    }

    /// What stands between two values.
    var separator: String {
        switch self {
        case .simple, .reserved, .fragment: ","
        case .label: "."
        case .path: "/"
        case .parameter: ";"
        case .query, .continuation: "&"
        }
    }

    /// Whether a value is led by its name.
    var isNamed: Bool {
        switch self {
        case .parameter, .query, .continuation: true
        case .simple, .reserved, .fragment, .label, .path: false
        }
    }

    /// What follows a name whose value is empty.
    var afterNameOfEmpty: String {
        self == .query || self == .continuation ? "=" : ""
    }

    /// How a value is escaped.
    var encoding: PercentEncoding {
        switch self {
        case .reserved, .fragment: .reserved
        case .simple, .label, .path, .parameter, .query, .continuation: .unreserved
        }
    }
}

extension URITemplate.Expression {
    /// What the expansion stands for in a path.
    var role: ReferenceWriter.Role {
        switch kind {
        case .simple, .reserved, .label: .segment
        case .path: .segments
        case .fragment, .parameter, .query, .continuation: .other
        }
    }
}
