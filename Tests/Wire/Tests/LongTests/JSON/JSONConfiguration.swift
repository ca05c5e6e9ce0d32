#if os(Linux)
import Foundation

/// Decoders whose strategies differ, of which each strategy is one.
enum JSONConfiguration: String, CaseIterable, Sendable {
    case standard, snakeCase, custom, seconds, milliseconds, iso8601

    var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        switch self {
        case .standard: break
        case .snakeCase:
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .iso8601
        case .custom:
            decoder.keyDecodingStrategy = .custom { path in
                Tree.Key(stringValue: (path.last?.stringValue ?? "").replacing("_", with: ""))
            }
            decoder.dateDecodingStrategy = .custom {
                Date(timeIntervalSince1970: try $0.singleValueContainer().decode(Double.self))
            }
            decoder.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "x",
                negativeInfinity: "AQID/w==",
                nan: ""
            )
        case .seconds:
            decoder.dateDecodingStrategy = .secondsSince1970
            decoder.dataDecodingStrategy = .deferredToData
        case .milliseconds: decoder.dateDecodingStrategy = .millisecondsSince1970
        case .iso8601: decoder.dateDecodingStrategy = .iso8601
        }
        return decoder
    }
}
#endif
