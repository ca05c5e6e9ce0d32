import JSONDecoding

/// An array that leaves out the elements which cannot be decoded, and records them.
///
/// Use it as the type of a response or of a property. If the value is not an array at all, it fails like an array.
///
/// ```swift
/// let response = try await client.fetch(request: request, as: LossyArray<Item>.self)
/// for drop in response.item.drops { print(drop) }
/// // [3]: The value at '[3].name' is missing.
/// ```
///
/// Equality, hashing and encoding use only the elements.
public struct LossyArray<Element> {
    /// The elements that could be decoded, in their order.
    public var elements: [Element]

    /// The first thousand elements that were left out, in their order.
    public let drops: [DroppedElement]

    /// The number of elements that were left out.
    public let dropCount: Int

    /// Creates an array from its elements.
    public init(_ elements: [Element] = []) {
        self.elements = elements
        drops = []
        dropCount = 0
    }
}

/// An element of an array in a response that a ``LossyArray`` has left out.
public struct DroppedElement: Sendable, OpaqueValue {
    /// The index of the element in the response.
    public let index: Int

    /// The reason: the `DecodingError`, or the error that an initialiser has thrown.
    public let error: any Error

    /// The index, and the ``error`` as one sentence that contains no value from the response.
    public var description: String { "[\(index)]: \(DecodingErrorText.sentence(for: error))" }
}

extension LossyArray: Decodable where Element: Decodable {
    private static var maximumDrops: Int { 1000 }

    /// Decodes all elements that can be decoded.
    ///
    /// - Throws: `DecodingError` if the value is not an array.
    public init(from decoder: any Decoder) throws {
        self = try DecodingBudget.of(decoder) { budget in
            var container = try decoder.unkeyedContainer()
            return try Self(from: &container, budget)
        }
    }

    private init(from container: inout any UnkeyedDecodingContainer, _ budget: DecodingBudget) throws {
        var (elements, drops, dropCount): ([Element], [DroppedElement], Int) = ([], [], 0)
        while !container.isAtEnd {
            try budget.scope?.check()
            let index = container.currentIndex
            let result: Result<Element, any Error>
            do {
                result = try budget.discardingErrors(dropCount >= Self.maximumDrops) {
                    try container.decode(Attempt<Element>.self).result
                }
            } catch {
                // An `Attempt` never fails. If the decoder itself fails, some decoders stay at the element.
                guard container.currentIndex > index else { throw error }
                result = .failure(error)
            }
            switch result {
            case .success(let element): elements.append(element)
            case .failure(let error):
                if budget.isOver { throw error }
                if dropCount < Self.maximumDrops { drops.append(DroppedElement(index: index, error: error)) }
                dropCount += 1
            }
        }
        (self.elements, self.drops, self.dropCount) = (elements, drops, dropCount)
    }
}

extension LossyArray: RandomAccessCollection, MutableCollection {
    /// The index of the first element, 0.
    public var startIndex: Int { elements.startIndex }

    /// The number of elements.
    public var endIndex: Int { elements.endIndex }

    /// The element at an index from 0 to `count - 1`.
    public subscript(index: Int) -> Element {
        get { elements[index] }
        set { elements[index] = newValue }
    }
}

extension LossyArray: ExpressibleByArrayLiteral {
    /// Creates an array from its elements.
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension LossyArray: Encodable where Element: Encodable {
    /// Encodes the elements as an array.
    public func encode(to encoder: any Encoder) throws {
        try elements.encode(to: encoder)
    }
}

extension LossyArray: Equatable where Element: Equatable {
    /// Compares the elements.
    public static func == (one: LossyArray, other: LossyArray) -> Bool { one.elements == other.elements }
}

extension LossyArray: Hashable where Element: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: CustomStringConvertible {
    /// The description of an array with these elements.
    public var description: String { elements.description }
}
