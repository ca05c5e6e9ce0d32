/// A value on its way into a form: what every kind of parameter becomes before it is written.
enum FormValue: Equatable, Sendable {
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

        init(name: String, value: FormValue) {
            self.name = name
            self.value = value
        }
    }

    /// The parts of a value that has names for them; none for nil.
    func fields(at path: FormPath) throws(BodyEncodingError) -> [Field] {
        switch self {
        case .null: return []
        case .object(let fields): return fields
        case .text, .array: throw path.failure("is no object, so its parts have no names")
        }
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
