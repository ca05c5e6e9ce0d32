import SwiftParser
import SwiftSyntax

/// A property of a struct that is a part of its request.
struct RequestProperty {
    /// A part of a request; its raw value is the name of its mark.
    enum Part: String {
        case path = "Path"
        case query = "Query"
        case header = "Header"
        case body = "Body"
    }

    let part: Part

    /// The name of the property in Swift, with backticks if it has them.
    let label: String

    /// The name of the property without backticks.
    let plainLabel: String

    /// The name in the request.
    let name: String

    /// The place for messages: the name of the property.
    let pattern: PatternSyntax

    /// The mark; nil for the property `body`, which needs none.
    let mark: AttributeSyntax?

    /// The name in the mark, or by default, that cannot be one: what to write, and its place.
    let fault: (message: String, place: Syntax)?

    /// The expression for the value in a path; a value that is declared as an array is several segments.
    let segment: String

    /// Creates the property of a mark; nil for another attribute.
    init?(_ binding: PatternBindingSyntax, mark: AttributeSyntax) {
        guard let part = mark.macroName.flatMap(Part.init) else { return nil }
        self.init(binding, part, mark)
    }

    /// Creates the property `body`, or one whose part is not known.
    init(_ binding: PatternBindingSyntax) { self.init(binding, .body, nil) }

    private init(_ binding: PatternBindingSyntax, _ part: Part, _ mark: AttributeSyntax?) {
        self.part = part
        self.mark = mark
        pattern = binding.pattern
        label = binding.pattern.trimmedDescription
        plainLabel = label.filter { $0 != "`" }
        let value = mark?.values.first?.expression
        name = value?.literal ?? (part == .header ? Self.fieldName(of: plainLabel) : plainLabel)
        let place = value.map { Syntax($0) } ?? Syntax(binding.pattern)
        fault =
            if let value, value.literal == nil {
                ("a name is a literal: write it here", place)
            } else if part == .header, !name.isToken {
                ("'\(name)' isn't a valid field name: write a token, as in @Header(\"X-Request-ID\")", place)
            } else {
                nil
            }
        let type = binding.typeAnnotation?.type
        let isArray =
            type.map { $0.is(ArrayTypeSyntax.self) || $0.trimmedDescription.hasPrefix("Array<") }
            ?? (binding.initializer?.value.is(ArrayExprSyntax.self) == true)
        segment = "\(isArray ? "segments: " : "")self.\(label)"
    }

    /// The part and the name, which only one property may have; there is one body.
    var key: String { part == .body ? "" : "\(part) \(part == .header ? name.lowercased() : name)" }

    /// Returns the name of the header field for a property, by the rules of the library: `If-None-Match` for
    /// `ifNoneMatch`.
    private static func fieldName(of property: String) -> String {
        guard let first = property.first, !("A"..."Z").contains(first), !property.contains("-") else { return property }
        let words = words(of: Array(property)).flatMap { $0.split(separator: "_") }.map { String($0).lowercased() }
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: "-")
    }

    /// Splits a name at capitals; consecutive ones are one word, without the last if a small letter follows it.
    private static func words(of name: [Character]) -> [ArraySlice<Character>] {
        var words: [ArraySlice<Character>] = []
        var (wordStart, searchStart) = (0, 1)
        while let capital = name.dropFirst(searchStart).firstIndex(where: \.isUppercase) {
            words.append(name[wordStart..<capital])
            wordStart = capital
            guard let small = name.dropFirst(capital).firstIndex(where: \.isLowercase) else { break }
            if small > capital + 1 {
                words.append(name[capital..<(small - 1)])
                wordStart = small - 1
            }
            searchStart = small + 1
        }
        return words + [name[wordStart...]]
    }
}

extension PatternBindingSyntax {
    /// Whether the property is stored: it has no getter.
    var isStored: Bool {
        guard case .accessors(let list) = accessorBlock?.accessors else { return accessorBlock == nil }
        return list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }

    /// Whether reading the property can throw an error.
    var isThrowing: Bool {
        guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
        return accessors.contains { $0.effectSpecifiers?.throwsClause != nil }
    }
}

extension SyntaxProtocol {
    /// The names in a piece of code that may be those of members of the type around it: alone, or after `self.`.
    var names: Set<String> {
        Set(tokens(viewMode: .sourceAccurate).lazy.filter(\.isOwnName).map(\.plainText))
    }
}

extension TokenSyntax {
    fileprivate var isOwnName: Bool {
        guard let reference = parent?.as(DeclReferenceExprSyntax.self) else { return false }
        guard let access = reference.parent?.as(MemberAccessExprSyntax.self), access.declName.id == reference.id else {
            return true
        }
        return access.base?.trimmedDescription == "self"
    }

    /// The text without backticks.
    var plainText: String { text.filter { $0 != "`" } }
}

extension String {
    /// Whether the text is a token (RFC 9110 §5.6.2), as methods and names of header fields are.
    var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy {
                UInt8(ascii: "!")...UInt8(ascii: "~") ~= $0 && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0)
            }
    }
}

extension ExprSyntax {
    /// The text of a literal without values in it.
    var literal: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}
