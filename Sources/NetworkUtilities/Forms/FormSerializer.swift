/// Writes values as the items of a form or a query, `name=value&name=value`, in a style.
struct FormSerializer {
    private(set) var bytes: [UInt8] = []

    private let encoding: PercentEncoding
    private let style: FormStyle

    /// The escaped name of the current value; the names of its parts are appended and removed again.
    private var name: [UInt8] = []

    private static let roomForField = 32

    /// Creates a serializer without items.
    init(_ encoding: PercentEncoding, style: FormStyle) {
        self.encoding = encoding
        self.style = style
    }

    /// Writes the fields of an object in their order.
    mutating func append(_ fields: [FormValue.Field]) {
        bytes.reserveCapacity(bytes.count + fields.count * Self.roomForField)
        for field in fields { append(field.name, field.value) }
    }

    /// Writes one value with its name.
    mutating func append(_ name: String, _ value: FormValue) {
        // A text has no parts whose names would begin with its name, so the name is written directly.
        if case .text(let text) = value {
            beginItem()
            return encoding.append(name, text, to: &bytes)
        }
        encoding.append(name, to: &self.name)
        append(value)
        self.name.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ value: FormValue) {
        switch value {
        case .null:
            break
        case .text(let text):
            beginNamedItem()
            encoding.append(text, to: &bytes)
        case .array(let elements):
            append(elements)
        case .object(let fields):
            for field in fields {
                append(field.value, under: field.name, inBrackets: !style.nesting.usesDots)
            }
        }
    }

    private mutating func append(_ elements: [FormValue]) {
        let needsPositions = elements.contains(where: \.isNested)
        switch style.arrays.kind {
        case .repeated where !needsPositions:
            for element in elements { append(element) }
        case .brackets where !needsPositions:
            for element in elements { append(element, under: "", inBrackets: true) }
        case .comma where !needsPositions:
            appendJoined(elements.compactMap(\.text))
        case .indices, .repeated, .brackets, .comma:
            for (index, element) in elements.enumerated() {
                append(element, under: String(index), inBrackets: true)
            }
        }
    }

    private mutating func append(_ value: FormValue, under part: String, inBrackets: Bool) {
        if case .null = value { return }
        let length = name.count
        encoding.append(inBrackets ? "[" : ".", to: &name)
        encoding.append(part, to: &name)
        if inBrackets { encoding.append("]", to: &name) }
        append(value)
        name.removeSubrange(length...)
    }

    /// Writes all elements as one item, with commas between them.
    ///
    /// Only the commas inside an element are escaped, so that a reader can tell where an element ends.
    private mutating func appendJoined(_ elements: [String]) {
        guard let first = elements.first else { return }
        beginNamedItem()
        encoding.append(first, to: &bytes)
        for element in elements.dropFirst() {
            bytes.append(UInt8(ascii: ","))
            encoding.append(element, to: &bytes)
        }
    }

    private mutating func beginItem() {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
    }

    private mutating func beginNamedItem() {
        beginItem()
        bytes.append(contentsOf: name)
        bytes.append(UInt8(ascii: "="))
    }
}
