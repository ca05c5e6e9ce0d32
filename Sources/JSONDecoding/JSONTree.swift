/// A JSON value whose type is not known before it is decoded.
package enum JSONTree: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case text(String)
    case array([JSONTree])
    case object([String: JSONTree])
}

extension JSONTree: Codable {
    package init(from decoder: any Decoder) throws {
        if let decoder = decoder.native {
            self = try decoder.tree()
        } else {
            self = try DecodingBudget.of(decoder) { budget in
                // Each attempt that fails makes an error with the whole coding path.
                try budget.takeAttempt(decoder, costing: 10)
                return try Self(from: try decoder.singleValueContainer())
            }
        }
    }

    private init(from container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let unsigned = try? container.decode(UInt64.self) {
            self = .unsigned(unsigned)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let elements = try? container.decode([JSONTree].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONTree {
    /// The members of an object, without those that can't be decoded.
    package struct Members: Decodable {
        package let values: [String: JSONTree]

        package init(from decoder: any Decoder) throws {
            if let decoder = decoder.native {
                values = try decoder.members()
            } else {
                // Decodes a dictionary, whose keys a key strategy does not translate.
                let attempts = try decoder.singleValueContainer().decode([String: Attempt<JSONTree>].self)
                values = attempts.compactMapValues { try? $0.result.get() }
            }
        }
    }

    /// The value as a JSON text.
    package var json: [UInt8] {
        var json: [UInt8] = []
        append(to: &json)
        return json
    }

    private func append(to json: inout [UInt8]) {
        switch self {
        case .null: json += "null".utf8
        case .boolean(let value): json += "\(value)".utf8
        case .integer(let value): json += "\(value)".utf8
        case .unsigned(let value): json += "\(value)".utf8
        case .number(let value): json += "\(value)".utf8
        case .text(let value): Self.append(value, to: &json)
        case .array(let values):
            json.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                value.append(to: &json)
            }
            json.append(UInt8(ascii: "]"))
        case .object(let members):
            json.append(UInt8(ascii: "{"))
            for (index, (name, value)) in members.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                Self.append(name, to: &json)
                json.append(UInt8(ascii: ":"))
                value.append(to: &json)
            }
            json.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: json += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }
}

/// The outcome of decoding a value.
///
/// Its initialiser throws nothing, since a container doesn't move on from an element whose initialiser has thrown an
/// error.
package struct Attempt<Value: Decodable>: Decodable {
    package let result: Result<Value, any Error>

    package init(from decoder: any Decoder) {
        result = Result { try decoder.singleValueContainer().decode(Value.self) }
    }
}
