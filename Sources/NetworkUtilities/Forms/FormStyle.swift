/// How values are written in a form or a query, where services disagree.
///
/// Start from ``form`` or ``query``, which is what the builder does, and change what a service reads differently.
///
/// ```swift
/// var style = FormStyle.query
/// style.arrays = .comma
/// style.dates = .secondsSince1970
/// let request = try URLRequest.get(url: url).add(query: "size", value: [0.5, 2], style: style).build()
/// // ?size=0.5,2.0
/// ```
public struct FormStyle: Sendable {
    /// Forms: `tags[]=a&tags[]=b`, `n[k]=1`, `true`, ISO 8601, names as they are.
    public static let form = FormStyle()

    /// Queries: as ``form``, but an array repeats its name, `tags=a&tags=b`.
    public static let query = FormStyle(arrays: .repeated)

    /// How an array of texts and numbers is written.
    public var arrays: ArrayStyle

    /// How the parts of an object are named.
    public var nesting: NestingStyle

    /// How a Boolean is written.
    public var booleans: BooleanStyle

    /// How a date is written.
    public var dates: DateStyle

    /// How the names of an `Encodable` type's properties are written.
    public var keys: KeyStyle

    /// Takes a style for each kind of value; what is left out is as in ``form``.
    ///
    /// - Parameters:
    ///   - arrays: How an array of texts and numbers is written.
    ///   - nesting: How the parts of an object are named.
    ///   - booleans: How a Boolean is written.
    ///   - dates: How a date is written.
    ///   - keys: How the names of an `Encodable` type's properties are written.
    public init(
        arrays: ArrayStyle = .brackets,
        nesting: NestingStyle = .brackets,
        booleans: BooleanStyle = .literal,
        dates: DateStyle = .iso8601,
        keys: KeyStyle = .unchanged
    ) {
        self.arrays = arrays
        self.nesting = nesting
        self.booleans = booleans
        self.dates = dates
        self.keys = keys
    }
}
