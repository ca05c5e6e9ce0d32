/// A value on its way into a form: what every kind of parameter becomes before it is written.
indirect enum FormValue: Equatable, Sendable {
    /// Nothing: the field is left out.
    case null

    /// One text, not escaped yet.
    case text(String)

    /// Values in order.
    case array([FormValue])

    /// Fields in the order in which they are written.
    case object([Field])

    /// One named value of an object.
    struct Field: Equatable, Sendable {
        let name: String
        let value: FormValue
    }

    /// The text of a value that is one.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// Whether the value has parts of its own.
    var isNested: Bool {
        switch self {
        case .null, .text: false
        case .array, .object: true
        }
    }
}
