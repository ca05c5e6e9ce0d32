/// A value of one of two types: the first that can be decoded.
///
/// ```swift
/// struct LegacyItem: Decodable { var title: String }
///
/// let response: NetworkClient.Response<Either<Item, LegacyItem>> = try await client.fetch(request: request)
/// switch response.item {
/// case .first(let item): print(item.name)
/// case .second(let legacy): print(legacy.title)
/// }
/// ```
///
/// For three types, use `Either<A, Either<B, C>>`. If no type can be decoded, the error is the first type's. Within one
/// `Either`, at most 100,000 other ones may try their second type, so that a hostile body cannot take endless time.
public enum Either<First, Second> {
    /// The value was decoded as the first type.
    case first(First)

    /// The value could not be decoded as the first type, but as the second.
    case second(Second)
}

extension Either: Decodable where First: Decodable, Second: Decodable {
    /// Decodes the first type, or else the second.
    ///
    /// - Throws: The error of the first type if both fail.
    public init(from decoder: any Decoder) throws {
        guard SecondAttempts.left == nil else {
            self = try Self.value(from: decoder)
            return
        }
        let left = Locked(SecondAttempts.most)
        self = try SecondAttempts.$left.withValue(left) { try Self.value(from: decoder) }
    }

    private static func value(from decoder: any Decoder) throws -> Self {
        switch Attempt<First>(from: decoder).result {
        case .success(let value): return .first(value)
        case .failure(let error):
            guard SecondAttempts.take() else {
                throw DecodingReason("has more than \(SecondAttempts.most) alternatives to try")
                    .error(at: decoder.codingPath)
            }
            guard case .success(let value) = Attempt<Second>(from: decoder).result else { throw error }
            return .second(value)
        }
    }
}

/// A limit on the number of second attempts within the outermost `Either`: if a type contains itself, each level may
/// decode the levels below it twice, which takes exponential time.
enum SecondAttempts {
    static let most = 100_000

    @TaskLocal static var left: Locked<Int>?

    static func take() -> Bool {
        left?.withLock { left in
            left -= 1
            return left >= 0
        } ?? true
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
