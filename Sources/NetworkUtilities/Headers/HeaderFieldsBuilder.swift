/// Collects header fields in a block, with `if`, `switch`, `for` and optionals, as ``RequestBuilder`` takes one.
///
/// ```swift
/// let etag: EntityTag? = nil
/// let languages = ["el", "en"]
/// let request = URLRequest.get(url: url)
///     .headers {
///         HeaderField.accept(type: .json)
///         HeaderField.authorisation(.bearer(authToken))
///         if let etag { HeaderField.ifNoneMatch([etag]) }
///         for language in languages { HeaderField.language(value: language) }
///     }
///     .build()
/// ```
///
/// Fields are written with `HeaderField` in front: a line that begins with a dot would belong to the one before it.
@resultBuilder
public enum HeaderFieldsBuilder {
    /// One field.
    ///
    /// - Parameter field: The field.
    /// - Returns: The field as a list.
    public static func buildExpression(_ field: HeaderField) -> [HeaderField] { [field] }

    /// A field that may be missing.
    ///
    /// - Parameter field: The field, if there is one.
    /// - Returns: The field as a list; an empty one without it.
    public static func buildExpression(_ field: HeaderField?) -> [HeaderField] { field.map { [$0] } ?? [] }

    /// Several fields.
    ///
    /// - Parameter fields: The fields.
    /// - Returns: The fields.
    public static func buildExpression(_ fields: [HeaderField]) -> [HeaderField] { fields }

    /// A block with nothing in it.
    ///
    /// - Returns: No field.
    public static func buildBlock() -> [HeaderField] { [] }

    /// The first line of a block.
    ///
    /// - Parameter first: Its fields.
    /// - Returns: The fields.
    public static func buildPartialBlock(first: [HeaderField]) -> [HeaderField] { first }

    /// Each line after the first.
    ///
    /// - Parameters:
    ///   - accumulated: The fields of the lines before.
    ///   - next: The fields of this line.
    /// - Returns: All of them in their order.
    public static func buildPartialBlock(accumulated: [HeaderField], next: [HeaderField]) -> [HeaderField] {
        accumulated + next
    }

    /// `if` without `else`.
    ///
    /// - Parameter fields: The fields, if the condition holds.
    /// - Returns: The fields.
    public static func buildOptional(_ fields: [HeaderField]?) -> [HeaderField] { fields ?? [] }

    /// The first branch of `if` and `switch`.
    ///
    /// - Parameter fields: Its fields.
    /// - Returns: The fields.
    public static func buildEither(first fields: [HeaderField]) -> [HeaderField] { fields }

    /// The other branches of `if` and `switch`.
    ///
    /// - Parameter fields: Their fields.
    /// - Returns: The fields.
    public static func buildEither(second fields: [HeaderField]) -> [HeaderField] { fields }

    /// `for`.
    ///
    /// - Parameter fields: The fields of each turn.
    /// - Returns: All of them in their order.
    public static func buildArray(_ fields: [[HeaderField]]) -> [HeaderField] { Array(fields.joined()) }

    /// `if #available`.
    ///
    /// - Parameter fields: The fields of the branch.
    /// - Returns: The fields.
    public static func buildLimitedAvailability(_ fields: [HeaderField]) -> [HeaderField] { fields }
}
