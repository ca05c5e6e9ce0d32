/// A result builder that collects the elements of a block with `if`, `switch`, `for` and optionals in an array.
///
/// ``HeaderFieldsBuilder``, ``QueryItemsBuilder`` and ``MultipartFormParts`` conform. Other types need not conform.
public protocol BlockBuilding {
    /// The type of the elements.
    associatedtype Element
}

extension BlockBuilding {
    /// Adds one element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }

    /// Adds an optional element.
    public static func buildExpression(_ element: Element?) -> [Element] { element.map { [$0] } ?? [] }

    /// Adds several elements.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

    /// Supports an empty block.
    public static func buildBlock() -> [Element] { [] }

    /// Supports the first line of a block.
    public static func buildPartialBlock(first: [Element]) -> [Element] { first }

    /// Supports each line after the first.
    public static func buildPartialBlock(accumulated: [Element], next: [Element]) -> [Element] { accumulated + next }

    /// Supports `if` without `else`.
    public static func buildOptional(_ elements: [Element]?) -> [Element] { elements ?? [] }

    /// Supports the first branch of `if` and `switch`.
    public static func buildEither(first elements: [Element]) -> [Element] { elements }

    /// Supports the other branches of `if` and `switch`.
    public static func buildEither(second elements: [Element]) -> [Element] { elements }

    /// Supports `for`.
    public static func buildArray(_ elements: [[Element]]) -> [Element] { Array(elements.joined()) }

    /// Supports `if #available`.
    public static func buildLimitedAvailability(_ elements: [Element]) -> [Element] { elements }
}
