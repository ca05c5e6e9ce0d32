/// Writes a tree of values as the items of a form or a query, `name=value&name=value`, in one of many styles.
struct FormSerializer {
    private(set) var bytes: [UInt8] = []

    private let encoding: PercentEncoding
    private let style: FormStyle

    /// The escaped name of the value that is written, on which the names of its parts are put and removed again.
    private var name: [UInt8] = []

    private static let roomForField = 32

    /// Makes a serializer that has written nothing.
    init(_ encoding: PercentEncoding, style: FormStyle) {
        self.encoding = encoding
        self.style = style
    }

    /// Writes the fields of an object one after the other.
    mutating func append(_ fields: [FormValue.Field]) {
        bytes.reserveCapacity(bytes.count + fields.count * Self.roomForField)
        for field in fields { append(field.name, field.value) }
    }

    /// Writes one value under a name.
    mutating func append(_ name: String, _ value: FormValue) {
        // Nothing is put on the name of a text, so it need not be kept.
        if case .text(let text) = value {
            beginItem()
            encoding.append(name, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            return encoding.append(text, to: &bytes)
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
        default:
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

    /// Only the commas inside an element are escaped, so that a reader can tell them from those between elements.
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
