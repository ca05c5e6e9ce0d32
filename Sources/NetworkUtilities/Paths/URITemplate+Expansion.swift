extension URITemplate {
    /// Replaces each expression with the values of its variables.
    ///
    /// Values are given by name, as for a form; names that the template doesn't contain are ignored. Throws
    /// ``URITemplateError/unusableVariable(name:reason:)`` for a value without a text, such as `Data`, for a nested
    /// array or object, and for a prefix of an array or object (RFC 6570 §2.4.1).
    public func expand(_ variables: Params) throws(URITemplateError) -> String {
        try text(of: pieces(Variables(variables)))
    }

    /// Replaces each expression with the properties that its variables name.
    ///
    /// Properties that the template doesn't name are ignored; associative arrays keep the order of their properties.
    /// Throws ``URITemplateError/unusableVariable(name:reason:)`` for a value that doesn't encode as an object, and for
    /// a property that could not be a value in a dictionary either.
    public func expand<Value: Encodable>(_ variables: Value) throws(URITemplateError) -> String {
        try text(of: pieces(Variables(encoding: variables)))
    }

    private func text(of pieces: [RequestPath.Piece]) -> String {
        var bytes: [UInt8] = []
        for piece in pieces {
            if piece.kind == .literal {
                PercentEncoding.reserved.append(piece.text, to: &bytes)
            } else {
                bytes.append(contentsOf: piece.text.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the parts of the template with their values.
    func pieces(_ variables: Variables) throws(URITemplateError) -> [RequestPath.Piece] {
        try parts.map { part throws(URITemplateError) in
            switch part {
            case .literal(let text):
                RequestPath.Piece(text: text, kind: .literal)
            case .expression(let expression):
                RequestPath.Piece(text: try expression.expand(variables), kind: .expanded(expression))
            }
        }
    }

    /// The values that a template is expanded with.
    struct Variables {
        /// Returns the value of a name; a dictionary's values are converted when an expression asks for them.
        private let formValue: (String) throws(ValueFailure) -> FormValue

        init(_ variables: Params) {
            formValue = { name throws(ValueFailure) in
                guard let value = variables[name] else { return .null }
                return try FormValue(value, at: FormPath.root(.query).appending(AnyCodingKey(name)))
            }
        }

        init(encoding variables: some Encodable) throws(URITemplateError) {
            do {
                let fields = try FormPath.root(.query).fields(of: variables)
                formValue = { name in fields.last { $0.name == name }?.value ?? .null }
            } catch {
                throw .unusableVariable(name: error.path, reason: error.reason)
            }
        }

        /// Returns the value of a variable; nil if the variable is undefined (RFC 6570 §2.3).
        ///
        /// The parts of an array or an object are strings or nil.
        func value(of variable: Variable) throws(URITemplateError) -> FormValue? {
            let value: FormValue
            do {
                value = try formValue(variable.name)
            } catch {
                throw .unusableVariable(name: error.path, reason: error.reason)
            }
            let parts: [FormValue]
            switch value {
            case .null: return nil
            case .text: return value
            case .array(let elements): parts = elements
            case .object(let members): parts = members.map(\.value)
            }
            if variable.prefix != nil {
                let reason = "has more than one part, so it can't be cut to a prefix"
                throw .unusableVariable(name: variable.name, reason: reason)
            }
            if parts.contains(where: \.isNested) {
                let reason = """
                    contains a nested array or object, but a variable can only be a single value, or an array or \
                    object of single values; pass the nested values as separate variables
                    """
                throw .unusableVariable(name: variable.name, reason: reason)
            }
            return parts.allSatisfy { $0 == .null } ? nil : value
        }
    }
}

/// The rules of each operator (RFC 6570 §3.2.1 and appendix A).
extension URITemplate.Operator {
    /// The operator's character; empty for the operators that write no character of their own.
    fileprivate var first: String {
        switch self {
        case .simple, .reserved: ""
        case .fragment, .label, .path, .parameter, .query, .continuation: String(UnicodeScalar(rawValue))
        }
    }

    /// The text between two values.
    fileprivate var separator: String {
        switch self {
        case .simple, .reserved, .fragment: ","
        case .label, .path, .parameter: first
        case .query, .continuation: "&"
        }
    }

    /// Whether the name of a variable is written before its value.
    fileprivate var isNamed: Bool {
        switch self {
        case .parameter, .query, .continuation: true
        case .simple, .reserved, .fragment, .label, .path: false
        }
    }

    /// The text between a name and an empty value.
    fileprivate var afterNameOfEmpty: String {
        self == .query || self == .continuation ? "=" : ""
    }

    fileprivate var encoding: PercentEncoding {
        self == .reserved || self == .fragment ? .reserved : .unreserved
    }
}

extension URITemplate.Expression {
    /// The part of a path that the expansion becomes.
    var role: ReferenceWriter.Role {
        switch kind {
        case .simple, .reserved, .label: .segment
        case .path: .segments
        case .fragment, .parameter, .query, .continuation: .other
        }
    }

    fileprivate func expand(_ values: URITemplate.Variables) throws(URITemplateError) -> String {
        var bytes: [UInt8] = []
        var isFirst = true
        for variable in variables {
            guard let value = try values.value(of: variable) else { continue }
            bytes.append(contentsOf: (isFirst ? kind.first : kind.separator).utf8)
            isFirst = false
            append(value, of: variable, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(_ value: FormValue, of variable: URITemplate.Variable, to bytes: inout [UInt8]) {
        switch value {
        case .null:
            break
        case .text(let text):
            let text = variable.prefix.map { prefix($0, of: text) } ?? text
            appendNamed(variable, text, to: &bytes)
        case .array(let elements):
            let texts = elements.compactMap(\.text)
            if variable.isExploded {
                join(texts, separator: kind.separator, to: &bytes) { appendNamed(variable, $0, to: &$1) }
            } else {
                if kind.isNamed { appendName(variable.name, isEmpty: false, to: &bytes) }
                join(texts, separator: ",", to: &bytes) { kind.encoding.append($0, to: &$1) }
            }
        case .object(let fields):
            let members = fields.compactMap { field in field.value.text.map { (name: field.name, text: $0) } }
            if kind.isNamed, !variable.isExploded { appendName(variable.name, isEmpty: false, to: &bytes) }
            join(members, separator: variable.isExploded ? kind.separator : ",", to: &bytes) { member, bytes in
                // Member names are escaped like values: RFC 6570 appendix A would copy the names of named operators
                // like literals, so that a name could add members.
                kind.encoding.append(member.name, to: &bytes)
                let isBare = kind.isNamed && member.text.isEmpty
                bytes.append(contentsOf: (!variable.isExploded ? "," : isBare ? kind.afterNameOfEmpty : "=").utf8)
                kind.encoding.append(member.text, to: &bytes)
            }
        }
    }

    /// Appends a value, after the variable's name where the operator demands it.
    private func appendNamed(_ variable: URITemplate.Variable, _ text: String, to bytes: inout [UInt8]) {
        if kind.isNamed { appendName(variable.name, isEmpty: text.isEmpty, to: &bytes) }
        kind.encoding.append(text, to: &bytes)
    }

    private func appendName(_ name: String, isEmpty: Bool, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: (isEmpty ? kind.afterNameOfEmpty : "=").utf8)
    }

    private func join<Element>(
        _ elements: [Element],
        separator: String,
        to bytes: inout [UInt8],
        _ append: (Element, inout [UInt8]) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(contentsOf: separator.utf8) }
            append(element, &bytes)
        }
    }

    /// Returns the first characters (Unicode code points, RFC 6570 §2.4.1) of a text.
    ///
    /// An escape that the operator keeps counts as one character, so that it is not cut in two.
    private func prefix(_ length: Int, of text: String) -> String {
        var rest = text.unicodeScalars[...]
        var result = String.UnicodeScalarView()
        for _ in 0..<length {
            guard let scalar = rest.popFirst() else { break }
            result.append(scalar)
            let digits = rest.prefix(2)
            if kind.encoding.keepsEscapes, scalar == "%", digits.count == 2,
                digits.allSatisfy(\.properties.isASCIIHexDigit)
            {
                result.append(contentsOf: digits)
                rest = rest.dropFirst(2)
            }
        }
        return String(result)
    }
}
