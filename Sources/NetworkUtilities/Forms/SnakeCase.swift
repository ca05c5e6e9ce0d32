/// Names in camel case as names in snake case, by the rules of `JSONEncoder`'s `convertToSnakeCase`.
///
/// The same type then has the same names in a form as in JSON.
enum SnakeCase {
    /// The words of a name in lower case with `_` between them: `myURLProperty` is `my_url_property`.
    static func text(of name: String) -> String {
        words(of: Array(name.unicodeScalars))
            .map { String(String.UnicodeScalarView($0)).lowercased() }
            .joined(separator: "_")
    }

    /// A word begins at a capital; several capitals are one word, without the last if a small letter follows them.
    private static func words(of name: [Unicode.Scalar]) -> [ArraySlice<Unicode.Scalar>] {
        var words: [ArraySlice<Unicode.Scalar>] = []
        var wordStart = 0
        var searchStart = 1
        while let capital = index(in: name, from: searchStart, where: isCapital) {
            words.append(name[wordStart..<capital])
            wordStart = capital
            guard let small = index(in: name, from: capital, where: isSmall) else { break }
            if small > capital + 1 {
                words.append(name[capital..<(small - 1)])
                wordStart = small - 1
            }
            searchStart = small + 1
        }
        words.append(name[wordStart...])
        return words
    }

    private static func index(
        in name: [Unicode.Scalar],
        from start: Int,
        where condition: (Unicode.Scalar) -> Bool
    ) -> Int? {
        name.dropFirst(start).firstIndex(where: condition)
    }

    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
        [.uppercaseLetter, .titlecaseLetter].contains(scalar.properties.generalCategory)
    }

    private static func isSmall(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .lowercaseLetter
    }
}
