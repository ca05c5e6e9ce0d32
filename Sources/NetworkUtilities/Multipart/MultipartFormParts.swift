/// Writes the parts of a ``MultipartForm`` one below the other, with `if`, `switch`, `for` and optionals.
@resultBuilder
public enum MultipartFormParts {
    /// One part.
    public static func buildExpression(_ part: MultipartPart) -> [MultipartPart] { [part] }

    /// A part, or none.
    public static func buildExpression(_ part: MultipartPart?) -> [MultipartPart] { part.map { [$0] } ?? [] }

    /// Parts that are at hand already.
    public static func buildExpression(_ parts: [MultipartPart]) -> [MultipartPart] { parts }

    /// A form without parts.
    public static func buildBlock() -> [MultipartPart] { [] }

    /// The first of several.
    public static func buildPartialBlock(first: [MultipartPart]) -> [MultipartPart] { first }

    /// Those so far and the next.
    public static func buildPartialBlock(
        accumulated: consuming [MultipartPart],
        next: [MultipartPart]
    ) -> [MultipartPart] {
        accumulated += next
        return accumulated
    }

    /// `if` without `else`.
    public static func buildOptional(_ parts: [MultipartPart]?) -> [MultipartPart] { parts ?? [] }

    /// `if` of an `if` with `else`, and the cases of a `switch`.
    public static func buildEither(first parts: [MultipartPart]) -> [MultipartPart] { parts }

    /// `else`, and the cases of a `switch`.
    public static func buildEither(second parts: [MultipartPart]) -> [MultipartPart] { parts }

    /// `for`.
    public static func buildArray(_ parts: [[MultipartPart]]) -> [MultipartPart] { parts.flatMap { $0 } }

    /// `if #available`.
    public static func buildLimitedAvailability(_ parts: [MultipartPart]) -> [MultipartPart] { parts }
}
