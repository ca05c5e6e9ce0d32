import Foundation

extension URITemplate {
    /// A value as an expression can take it; there is none for what is undefined (RFC 6570 §2.3).
    enum Value: Hashable, Sendable {
        case string(String)
        case list([String])
        case associative([Field])
    }

    /// One member of an associative array.
    struct Field: Hashable, Sendable {
        let name: String
        let text: String
    }

    /// The values that a template is expanded with.
    struct Variables {
        private enum Given {
            /// Converted when an expression asks for them.
            case params(Params)
            case fields([FormValue.Field])
        }

        private let given: Given

        init(_ variables: Params) {
            given = .params(variables)
        }

        init(encoding variables: some Encodable) throws(URITemplateError) {
            let root = FormPath.root(.query)
            do {
                given = .fields(try FormValue(encoding: variables, at: root).fields(at: root))
            } catch {
                throw Self.failure(error)
            }
        }

        /// The value of a variable; nil if it is undefined.
        func value(of variable: Variable) throws(URITemplateError) -> Value? {
            switch try formValue(of: variable.name) {
            case .null:
                return nil
            case .text(let text):
                return .string(text)
            case .array(let elements):
                try Self.refusePrefix(of: variable)
                let texts = try Self.texts(elements, variable)
                return texts.isEmpty ? nil : .list(texts)
            case .object(let members):
                try Self.refusePrefix(of: variable)
                let fields = try Self.fields(members, variable)
                return fields.isEmpty ? nil : .associative(fields)
            }
        }

        private func formValue(of name: String) throws(URITemplateError) -> FormValue {
            switch given {
            case .fields(let fields):
                return fields.last { $0.name == name }?.value ?? .null
            case .params(let params):
                guard let value = params[name] else { return .null }
                do {
                    return try FormValue(value, at: FormPath.root(.query).appending(FormKey(stringValue: name)))
                } catch {
                    throw Self.failure(error)
                }
            }
        }

        private static func texts(_ elements: [FormValue], _ variable: Variable) throws(URITemplateError) -> [String] {
            var texts: [String] = []
            for element in elements {
                guard !element.isNested else { throw nested(variable) }
                if let text = element.text { texts.append(text) }
            }
            return texts
        }

        private static func fields(
            _ members: [FormValue.Field],
            _ variable: Variable
        ) throws(URITemplateError) -> [Field] {
            var fields: [Field] = []
            for member in members {
                guard !member.value.isNested else { throw nested(variable) }
                if let text = member.value.text { fields.append(Field(name: member.name, text: text)) }
            }
            return fields
        }

        private static func refusePrefix(of variable: Variable) throws(URITemplateError) {
            guard variable.prefix == nil else {
                throw .unusableVariable(name: variable.name, reason: "has more than one part, and no prefix therefore")
            }
        }

        private static func nested(_ variable: Variable) -> URITemplateError {
            .unusableVariable(name: variable.name, reason: "holds an array or an object within another")
        }

        private static func failure(_ error: BodyEncodingError) -> URITemplateError {
            switch error {
            case .form(let path, let reason), .json(let path, let reason):
                .unusableVariable(name: path, reason: reason)
            }
        }
    }

    /// The first characters (Unicode code points, RFC 6570 §2.4.1) of a text.
    ///
    /// An escape that the encoding leaves as it is counts as one, so that it is not cut through.
    static func prefix(_ length: Int, of text: String, _ encoding: PercentEncoding) -> String {
        var rest = text.unicodeScalars[...]
        var result = String.UnicodeScalarView()
        for _ in 0..<length {
            guard let scalar = rest.popFirst() else { break }
            result.append(scalar)
            let escape = rest.prefix(2)
            if encoding.keepsEscapes, scalar == "%", escape.count == 2, escape.allSatisfy(\.properties.isASCIIHexDigit)
            {
                result.append(contentsOf: escape)
                rest = rest.dropFirst(2)
            }
        }
        return String(result)
    }
}
