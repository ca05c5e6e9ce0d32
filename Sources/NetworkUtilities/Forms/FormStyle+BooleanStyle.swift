extension FormStyle {
    /// How a Boolean is written.
    public struct BooleanStyle: Hashable, Sendable {
        /// `true` and `false`.
        public static let literal = BooleanStyle(true: "true", false: "false")

        /// `1` and `0`.
        public static let numeric = BooleanStyle(true: "1", false: "0")

        private let yes: String
        private let no: String

        /// Takes the two texts, such as `yes` and `no`.
        ///
        /// - Parameters:
        ///   - yes: What stands for `true`, not escaped.
        ///   - no: What stands for `false`, not escaped.
        public init(true yes: String, false no: String) {
            self.yes = yes
            self.no = no
        }

        func text(of value: Bool) -> String { value ? yes : no }
    }
}
