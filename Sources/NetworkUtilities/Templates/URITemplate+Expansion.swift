import Foundation

extension URITemplate {
    /// Replaces each expression by the values of its variables.
    ///
    /// - Parameter variables: The values by name, as for a form; entries that the template does not name are ignored.
    /// - Returns: The expansion.
    /// - Throws: ``URITemplateError/unusableVariable(name:reason:)`` for a variable that has no text, such as `Data`,
    ///   for an array in an array, and for a prefix of a list (RFC 6570 §2.4.1).
    public func expand(_ variables: Params) throws(URITemplateError) -> String {
        try text(of: pieces(Variables(variables)))
    }

    /// Replaces each expression by the properties that its variables name.
    ///
    /// - Parameter variables: A value that encodes as an object; properties that the template does not name are
    ///   ignored. Associative arrays keep the order of their properties.
    /// - Returns: The expansion.
    /// - Throws: ``URITemplateError/unusableVariable(name:reason:)`` for a value that is no object, and as for a
    ///   dictionary.
    public func expand<Value: Encodable>(_ variables: Value) throws(URITemplateError) -> String {
        try text(of: pieces(Variables(encoding: variables)))
    }

    private func text(of pieces: [RequestPath.Piece]) -> String {
        var bytes: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .literal(let text): PercentEncoding.reserved.append(text, to: &bytes)
            case .expanded(let text, _), .encoded(let text), .value(let text), .url(let text):
                bytes.append(contentsOf: text.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The parts of the template with their values.
    func pieces(_ variables: Variables) throws(URITemplateError) -> [RequestPath.Piece] {
        try parts.map { part throws(URITemplateError) in
            switch part {
            case .literal(let text): .literal(text)
            case .expression(let expression): .expanded(try expression.expand(variables), expression: expression)
            }
        }
    }
}

extension URITemplate.Expression {
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

    private func append(_ value: URITemplate.Value, of variable: URITemplate.Variable, to bytes: inout [UInt8]) {
        switch value {
        case .string(let text):
            let text = variable.prefix.map { URITemplate.prefix($0, of: text, kind.encoding) } ?? text
            if kind.isNamed { appendName(variable.name, isEmpty: text.isEmpty, to: &bytes) }
            kind.encoding.append(text, to: &bytes)
        case .list(let texts) where variable.isExploded:
            join(texts, separator: kind.separator, to: &bytes) { text, bytes in
                if kind.isNamed { appendName(variable.name, isEmpty: text.isEmpty, to: &bytes) }
                kind.encoding.append(text, to: &bytes)
            }
        case .list(let texts):
            if kind.isNamed { appendName(variable.name, isEmpty: false, to: &bytes) }
            join(texts, separator: ",", to: &bytes) { text, bytes in kind.encoding.append(text, to: &bytes) }
        case .associative(let fields) where variable.isExploded:
            join(fields, separator: kind.separator, to: &bytes) { field, bytes in
                kind.encoding.append(field.name, to: &bytes)
                // Encoded as the values are: RFC 6570 appendix A would take the names of named operators for literals,
                // with which a name could add members of its own.
                let isBare = kind.isNamed && field.text.isEmpty
                bytes.append(contentsOf: (isBare ? kind.afterNameOfEmpty : "=").utf8)
                kind.encoding.append(field.text, to: &bytes)
            }
        case .associative(let fields):
            if kind.isNamed { appendName(variable.name, isEmpty: false, to: &bytes) }
            join(fields, separator: ",", to: &bytes) { field, bytes in
                kind.encoding.append(field.name, to: &bytes)
                bytes.append(UInt8(ascii: ","))
                kind.encoding.append(field.text, to: &bytes)
            }
        }
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
}
