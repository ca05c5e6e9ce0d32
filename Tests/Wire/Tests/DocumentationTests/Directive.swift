/// A directive of DocC that has arguments, such as `@Code(name: "main.swift", file: main-1.swift)`.
struct Directive: Equatable {
    /// The name without `@`.
    let name: String

    /// The arguments by their labels, without quotation marks.
    let arguments: [String: String]

    /// The line of the document on which it begins, from 1.
    let line: Int

    /// Finds the directives of a tutorial or an article; those without arguments are left out.
    static func all(in text: String) -> [Directive] {
        var directives: [Directive] = []
        var rest = text[...]
        while let mark = rest.firstIndex(of: "@") {
            rest = rest[mark...].dropFirst()
            let name = rest.prefix(while: \.isLetter)
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, rest.first == "(" else { continue }
            let line = text[..<mark].count { $0 == "\n" } + 1
            rest = rest.dropFirst()
            directives.append(Directive(name: String(name), arguments: takeArguments(from: &rest), line: line))
        }
        return directives
    }

    /// Takes everything up to the closing parenthesis.
    private static func takeArguments(from rest: inout Substring) -> [String: String] {
        var arguments: [String: String] = [:]
        while let first = rest.first, first != ")" {
            guard first.isLetter else {
                rest = rest.dropFirst()
                continue
            }
            let label = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(label.count).drop { $0 == ":" || $0.isWhitespace }
            arguments[String(label)] = takeValue(from: &rest)
        }
        return arguments
    }

    private static func takeValue(from rest: inout Substring) -> String {
        let isQuoted = rest.first == "\""
        if isQuoted { rest = rest.dropFirst() }
        let value = rest.prefix { isQuoted ? $0 != "\"" : !($0 == "," || $0 == ")" || $0.isWhitespace) }
        rest = rest.dropFirst(value.count + (isQuoted ? 1 : 0))
        return String(value)
    }
}
