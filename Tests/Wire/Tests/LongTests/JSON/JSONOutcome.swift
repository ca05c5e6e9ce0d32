import Foundation

/// What decoding a text has led to, in a form that can be compared between decoders.
enum JSONOutcome<Value: Equatable>: Equatable {
    case value(Value)
    case failure(String)

    var isFailure: Bool {
        if case .failure = self { true } else { false }
    }

    init(_ decode: () throws -> Value) {
        do {
            self = .value(try decode())
        } catch {
            self = .failure(describeFailure(error))
        }
    }
}

/// The case of an error, the type it names, and its coding path: texts, and the types of keys that are of no decoder,
/// are left out.
func describeFailure(_ error: any Error) -> String {
    func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map(describe).joined(separator: "/") + ": " + context.debugDescription
    }
    guard let error = error as? DecodingError else {
        // The errors of the decoders themselves differ, but are seen only inside initialisers.
        return "\(type(of: error))".hasPrefix("JSON") ? "syntax" : "\(type(of: error))"
    }
    switch error {
    case .typeMismatch(let type, let context): return "mismatch \(type) at \(path(context))"
    case .valueNotFound(let type, let context): return "no value \(type) at \(path(context))"
    case .keyNotFound(let key, let context): return "no key \(describe(key)) at \(path(context))"
    case .dataCorrupted(let context): return "corrupted at \(path(context))"
    @unknown default: return "unknown"
    }
}

func describe(_ key: any CodingKey) -> String {
    let type = "\(type(of: key))"
    let isOfDecoder = type.hasSuffix("_CodingKey") || type == "AnyCodingKey" || type == "_DictionaryCodingKey"
    return "\(isOfDecoder ? "" : type).\(key.stringValue)#\(key.intValue.map { "\($0)" } ?? "")"
}
