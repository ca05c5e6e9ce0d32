extension FormStyle {
    /// How an array of texts and numbers is written; brackets are escaped like the rest of a name.
    ///
    /// Whatever the style, an empty array adds nothing, elements that are nil are left out, and an array that holds
    /// arrays or objects is written with positions (`a[0][k]=1`), since otherwise nobody could tell which parts belong
    /// together.
    public struct ArrayStyle: Hashable, Sendable {
        /// One item per element, all of the same name: `tag=a&tag=b`.
        public static let repeated = ArrayStyle(kind: .repeated)

        /// One item per element, with empty brackets after the name: `tag[]=a&tag[]=b`.
        public static let brackets = ArrayStyle(kind: .brackets)

        /// One item per element, with its position from 0 after the name: `tag[0]=a&tag[1]=b`.
        ///
        /// An element that is nil keeps its position to itself.
        public static let indices = ArrayStyle(kind: .indices)

        /// One item with all elements: `tag=a,b` (RFC 6570 §3.2.8 without `explode`).
        ///
        /// The commas between the elements stand bare; one inside an element is `%2C`.
        public static let comma = ArrayStyle(kind: .comma)

        enum Kind {
            case repeated
            case brackets
            case indices
            case comma
        }

        let kind: Kind
    }
}
