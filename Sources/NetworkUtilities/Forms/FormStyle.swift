/// The format of values in a form or a query, where services disagree.
///
/// Start from ``form`` or ``query``, the defaults of the builder, and change the parts that a service reads
/// differently.
///
/// ```swift
/// var style = FormStyle.query
/// style.arrays = .comma
/// style.dates = .secondsSince1970
/// let request = try URLRequest.get(url: url)
///     .add(query: "size", value: [0.5, 2], style: style)
///     .build()
/// // ?size=0.5,2.0
/// ```
public struct FormStyle: Sendable {
    /// The style of forms: `tags[]=a&tags[]=b`, `n[k]=1`, `true`, ISO 8601, names unchanged.
    public static let form = FormStyle()

    /// The style of queries: as ``form``, but an array repeats its name, `tags=a&tags=b`.
    public static let query = FormStyle(arrays: .repeated)

    /// The format of arrays of texts and numbers.
    public var arrays: ArrayStyle

    /// The format of the names of nested values.
    public var nesting: NestingStyle

    /// The format of Booleans.
    public var booleans: BooleanStyle

    /// The format of dates.
    public var dates: DateStyle

    /// The format of the property names of an `Encodable` type.
    public var keys: KeyStyle

    /// Creates a style; omitted arguments are as in ``form``.
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

extension FormStyle {
    /// The format of arrays of texts and numbers; brackets are escaped as in other names.
    ///
    /// In every style, an empty array adds nothing, nil elements are left out, and an array that contains arrays or
    /// objects is written with positions (`a[0][k]=1`): without them, a reader could not tell which parts belong to one
    /// element.
    public struct ArrayStyle: Hashable, Sendable {
        /// One item per element, all with the same name: `tag=a&tag=b`.
        public static let repeated = ArrayStyle(kind: .repeated)

        /// One item per element, with empty brackets after the name: `tag[]=a&tag[]=b`.
        public static let brackets = ArrayStyle(kind: .brackets)

        /// One item per element, with its position from 0 after the name: `tag[0]=a&tag[1]=b`.
        ///
        /// A nil element leaves a gap in the positions.
        public static let indices = ArrayStyle(kind: .indices)

        /// One item with all elements: `tag=a,b` (RFC 6570 §3.2.8 without `explode`).
        ///
        /// The commas between elements are not escaped; a comma inside an element is `%2C`.
        public static let comma = ArrayStyle(kind: .comma)

        enum Kind { case repeated, brackets, indices, comma }

        let kind: Kind
    }

    /// The format of the names of nested values; positions in an array are in brackets in every style.
    public struct NestingStyle: Hashable, Sendable {
        /// The name of the nested value in brackets, which are escaped as in other names: `n[k]=1`.
        public static let brackets = NestingStyle(usesDots: false)

        /// The name of the nested value after a dot: `n.k=1`.
        public static let dots = NestingStyle(usesDots: true)

        let usesDots: Bool
    }

    /// The format of Booleans.
    public struct BooleanStyle: Hashable, Sendable {
        /// `true` and `false`.
        public static let literal = BooleanStyle(true: "true", false: "false")

        /// `1` and `0`.
        public static let numeric = BooleanStyle(true: "1", false: "0")

        private let yes: String
        private let no: String

        /// Creates a style from two texts that are not escaped, such as `yes` and `no`.
        public init(true yes: String, false no: String) {
            self.yes = yes
            self.no = no
        }

        func text(of value: Bool) -> String { value ? yes : no }
    }

    /// The format of dates; in all but custom styles, a date outside the years 0001 to 9999 is an error.
    public struct DateStyle: Sendable {
        /// In UTC, as in `2024-01-02T03:04:05.678Z`, rounded to the millisecond, without the fraction if it is zero.
        public static let iso8601 = DateStyle(text: InternetDateTime.text)

        /// Seconds since 1970-01-01T00:00:00Z, with up to three decimals: `1704164645.678`.
        public static let secondsSince1970 = DateStyle { date in
            milliseconds(of: date).map { milliseconds in
                // At most 15 digits, which a Double holds and describes exactly.
                let text = String(Double(milliseconds) / 1000)
                return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
            }
        }

        /// Whole milliseconds since 1970-01-01T00:00:00Z: `1704164645678`.
        public static let millisecondsSince1970 = DateStyle { date in
            milliseconds(of: date).map { String($0) }
        }

        /// Any other format, such as the day alone.
        ///
        /// The closure returns the text, not escaped. It is called on the thread that encodes.
        public static func custom(_ text: @escaping @Sendable (Date) -> String) -> DateStyle {
            DateStyle(text: text)
        }

        /// Returns the text of a date; nil if the date can't be written.
        let text: @Sendable (Date) -> String?

        private static func milliseconds(of date: Date) -> Int64? {
            let seconds = date.timeIntervalSince1970
            guard InternetDateTime.date(secondsSince1970: seconds) != nil else { return nil }
            return Int64(exactly: (seconds * 1000).rounded())
        }
    }

    /// The format of the property names of an `Encodable` type; the keys of a dictionary are data and stay unchanged.
    public struct KeyStyle: Sendable {
        /// The names of the type's `CodingKeys`.
        public static let unchanged = KeyStyle(transform: nil)

        /// `createdAt` becomes `created_at`, by the rules of `JSONEncoder`'s `convertToSnakeCase`.
        public static let snakeCase = KeyStyle(transform: SnakeCase.text)

        /// Any other format.
        ///
        /// The closure returns the new name. It is called on the thread that encodes. If two properties get the same
        /// name, the later one wins.
        public static func custom(_ transform: @escaping @Sendable (String) -> String) -> KeyStyle {
            KeyStyle(transform: transform)
        }

        private let transform: (@Sendable (String) -> String)?

        package func name(of key: String) -> String { transform?(key) ?? key }
    }
}
