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
    /// Decodes the first type, or else the second, both from JSON: an empty body, or text that is not JSON, is neither.
    ///
    /// - Throws: The error of the first type if both fail.
    public init(from decoder: any Decoder) throws {
        self = try DecodingBudget.of(decoder) { budget in
            do {
                return .first(try decoder.singleValueContainer().decode(First.self))
            } catch let error where !budget.isOver {
                try budget.takeAttempt(decoder)
                do {
                    return .second(try decoder.singleValueContainer().decode(Second.self))
                } catch let second {
                    throw budget.isOver ? second : error
                }
            }
        }
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
