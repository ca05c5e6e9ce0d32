import JSONDecoding

/// A value of one of two types: the first that can be decoded.
///
/// ```swift
/// struct LegacyItem: Decodable { var title: String }
///
/// let response = try await client.fetch(
///     request: request, as: Either<Item, LegacyItem>.self
/// )
/// switch response.item {
/// case .first(let item): print(item.name)
/// case .second(let legacy): print(legacy.title)
/// }
/// ```
///
/// Both types are decoded from JSON. If neither can be, a type that ``DefaultDecoder`` does not decode from JSON, such
/// as `String`, is the whole body if that is empty, of another media type, or not JSON and of no media type. So
/// `Either<Item, String>` is an item or a text, and `Either<Item, EmptyResponse>` is nothing for 204, and for no other
/// body. With a decoder that unwraps an envelope, both types are inside the envelope.
///
/// For three types, use `Either<A, Either<B, C>>`. If no type can be decoded, the error is the first type's. Each
/// second attempt reads its value again. All of them together may read a body 64 times, or 200,000 of
/// its tokens if it is short, with `JSONDecoder` a million values, so that a hostile body cannot take endless time.
public enum Either<First, Second> {
    /// The value was decoded as the first type.
    case first(First)

    /// The value could not be decoded as the first type, but as the second.
    case second(Second)
}

extension Either: Decodable where First: Decodable, Second: Decodable {
    /// Decodes the first type, or else the second, both from JSON.
    ///
    /// - Throws: The error of the first type if both fail.
    public init(from decoder: any Decoder) throws {
        self = try DecodingBudget.of(decoder) { budget in
            do {
                return .first(try Self.decode(First.self, decoder))
            } catch let error where !budget.isOver {
                try budget.takeAttempt(decoder)
                do {
                    return .second(try Self.decode(Second.self, decoder))
                } catch let second {
                    throw budget.isOver ? second : error
                }
            }
        }
    }
}

extension Either {
    /// Decodes one of the types; JSON is no empty response, which would take any.
    private static func decode<Value: Decodable>(_ type: Value.Type, _ decoder: any Decoder) throws -> Value {
        guard type != EmptyResponse.self else { throw DecodingReason("is not empty").error(at: decoder.codingPath) }
        return try decoder.singleValueContainer().decode(type)
    }
}

extension Either: PlainAlternative {
    static func plain(_ body: PlainBody) -> Either? {
        func value<T>(of type: T.Type) -> T? {
            switch type {
            // An empty response would take any body, also one that is the other type.
            case is EmptyResponse.Type where !body.isNothing: nil
            // A nil would be cast to any Optional type.
            case let type as any PlainDecodable.Type: (try? type.init(plain: body)).flatMap { $0 as? T }
            case let type as any PlainAlternative.Type: type.plain(body).flatMap { $0 as? T }
            default: nil
            }
        }
        return value(of: First.self).map { .first($0) } ?? value(of: Second.self).map { .second($0) }
    }
}

extension Either: Encodable where First: Encodable, Second: Encodable {
    /// Encodes the value alone, as it was decoded.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .first(let value): try container.encode(value)
        case .second(let value): try container.encode(value)
        }
    }
}

extension Either: Equatable where First: Equatable, Second: Equatable {}
extension Either: Hashable where First: Hashable, Second: Hashable {}
extension Either: Sendable where First: Sendable, Second: Sendable {}
