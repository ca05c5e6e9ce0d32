extension FormStyle {
    /// How the names of an `Encodable` type's properties are written; the keys of a dictionary are data and stay.
    public struct KeyStyle: Sendable {
        /// The names as the type's `CodingKeys` have them.
        public static let unchanged = KeyStyle(transform: nil)

        /// `createdAt` becomes `created_at`, by the rules of `JSONEncoder`'s `convertToSnakeCase`.
        public static let snakeCase = KeyStyle(transform: SnakeCase.text)

        /// Names made from those of the properties.
        ///
        /// Two properties whose names become one are one: the later counts.
        ///
        /// - Parameter transform: Gives the new name; called on the thread that encodes.
        /// - Returns: The style.
        public static func custom(_ transform: @escaping @Sendable (String) -> String) -> KeyStyle {
            KeyStyle(transform: transform)
        }

        private let transform: (@Sendable (String) -> String)?

        func name(of key: String) -> String { transform?(key) ?? key }
    }
}
