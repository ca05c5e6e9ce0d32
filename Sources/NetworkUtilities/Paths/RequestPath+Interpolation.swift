extension RequestPath: ExpressibleByStringInterpolation {
    /// Takes a path without values.
    ///
    /// - Parameter value: The path.
    public init(stringLiteral value: String) {
        pieces = [.literal(value)]
    }

    /// Takes what a literal and its values have gathered.
    ///
    /// - Parameter stringInterpolation: The parts in their order.
    public init(stringInterpolation: StringInterpolation) {
        pieces = stringInterpolation.pieces
    }

    /// Gathers the parts of a path.
    ///
    /// A value has to have exactly one text: see ``URLTextConvertible``. An optional has none, and does not compile.
    public struct StringInterpolation: StringInterpolationProtocol {
        var pieces: [Piece] = []

        /// Makes room.
        ///
        /// - Parameters:
        ///   - literalCapacity: How many bytes the literal has.
        ///   - interpolationCount: How many values there are.
        public init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(2 * max(0, min(interpolationCount, 16)) + 1)
        }

        /// Appends what stands between values.
        ///
        /// - Parameter literal: The text.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
        }

        /// Appends a value.
        ///
        /// - Parameter value: The value, which stays within its segment.
        public mutating func appendInterpolation<Value: URLTextConvertible>(_ value: Value) {
            pieces.append(.value(value.urlText))
        }

        /// Appends the raw value of an enumeration or of another type that stands for one.
        ///
        /// - Parameter value: The value, which stays within its segment.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: URLTextConvertible {
            pieces.append(.value(value.rawValue.urlText))
        }

        /// Appends a value that has a text of its own and a raw value: the former counts.
        ///
        /// - Parameter value: The value, which stays within its segment.
        public mutating func appendInterpolation<Value: URLTextConvertible & RawRepresentable>(_ value: Value)
        where Value.RawValue: URLTextConvertible {
            pieces.append(.value(value.urlText))
        }

        /// Appends several segments.
        ///
        /// - Parameter segments: The segments; each of them stays one, and none of them may be empty, `.` or `..`.
        public mutating func appendInterpolation<Value: URLTextConvertible>(segments: [Value]) {
            guard let first = segments.first else { return pieces.append(.value("")) }
            pieces.append(.value(first.urlText))
            for segment in segments.dropFirst() {
                pieces.append(.literal("/"))
                pieces.append(.value(segment.urlText))
            }
        }

        /// Appends a text that is escaped already, such as a path that a server has sent.
        ///
        /// - Parameter text: The text; its `/`, `?`, `#` and escapes count, as in the literal.
        public mutating func appendInterpolation(encoded text: String) {
            pieces.append(.encoded(text))
        }

        /// Not a value that has no text, or more than one.
        @available(*, unavailable, message: "a path takes what has exactly one text: make the value a String first")
        public mutating func appendInterpolation<Value>(_ value: Value) { fatalError() }

        /// Not a value that may be missing.
        @available(*, unavailable, message: "a path has no place for a missing value: unwrap the optional first")
        public mutating func appendInterpolation<Value>(_ value: Value?) { fatalError() }
    }
}
