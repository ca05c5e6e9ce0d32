/// Converts camel case to snake case by the rules of `JSONEncoder`'s `convertToSnakeCase`.
///
/// A type then has the same names in a form as in JSON.
enum SnakeCase {
    /// Returns the words of a name in lower case, joined with `_`: `myURLProperty` is `my_url_property`.
    static func text(of name: String) -> String {
        words(of: Array(name.unicodeScalars))
            .map { String(String.UnicodeScalarView($0)).lowercased() }
            .joined(separator: "_")
    }

    /// Splits a name at capitals; consecutive ones are one word, without the last if a small letter follows it.
    private static func words(of name: [Unicode.Scalar]) -> [ArraySlice<Unicode.Scalar>] {
        var words: [ArraySlice<Unicode.Scalar>] = []
        var wordStart = 0
        var searchStart = 1
        while let capital = name.dropFirst(searchStart).firstIndex(where: isCapital) {
            words.append(name[wordStart..<capital])
            wordStart = capital
            guard let small = name.dropFirst(capital).firstIndex(where: isSmall) else { break }
            if small > capital + 1 {
                words.append(name[capital..<(small - 1)])
                wordStart = small - 1
            }
            searchStart = small + 1
        }
        words.append(name[wordStart...])
        return words
    }

    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
        [.uppercaseLetter, .titlecaseLetter].contains(scalar.properties.generalCategory)
    }

    private static func isSmall(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .lowercaseLetter
    }
}
