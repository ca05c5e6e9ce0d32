extension FormStyle {
    /// How the parts of an object are named; positions in an array stand in brackets whatever the style.
    public struct NestingStyle: Hashable, Sendable {
        /// The part's name in brackets: `n[k]=1`; the brackets are escaped like the rest of the name.
        public static let brackets = NestingStyle(usesDots: false)

        /// The part's name after a dot: `n.k=1`.
        public static let dots = NestingStyle(usesDots: true)

        let usesDots: Bool
    }
}
