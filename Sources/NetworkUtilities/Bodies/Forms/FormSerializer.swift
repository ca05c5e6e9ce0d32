/// Writes a tree of values as `application/x-www-form-urlencoded` (WHATWG URL).
///
/// The parts of a value are named after it in brackets, which are escaped like the rest of the name: an object's fields
/// by their names (`n[k]=1`), an array's texts by `[]` (`a[]=1&a[]=2`). An array with arrays or objects in it is
/// written with positions (`a[0][k]=1`), since with `[]` nobody could tell which fields belong together.
struct FormSerializer {
    private(set) var bytes: [UInt8] = []

    /// The escaped name of the value that is written, on which the names of its parts are put and removed again.
    private var name: [UInt8] = []

    private static let openingBracket = Array("%5B".utf8)
    private static let closingBracket = Array("%5D".utf8)

    /// Writes the fields of a form one after the other.
    mutating func append(_ fields: [FormValue.Field]) {
        for field in fields {
            PercentEncoding.form.append(field.name, to: &name)
            append(field.value)
            name.removeAll(keepingCapacity: true)
        }
    }

    private mutating func append(_ value: FormValue) {
        switch value {
        case .null:
            break
        case .text(let text):
            appendField(text)
        case .array(let elements):
            let usesPositions = elements.contains(where: \.isNested)
            for (index, element) in elements.enumerated() {
                append(element, inBrackets: usesPositions ? String(index) : "")
            }
        case .object(let fields):
            for field in fields { append(field.value, inBrackets: field.name) }
        }
    }

    private mutating func append(_ value: FormValue, inBrackets part: String) {
        let length = name.count
        name += Self.openingBracket
        PercentEncoding.form.append(part, to: &name)
        name += Self.closingBracket
        append(value)
        name.removeSubrange(length...)
    }

    private mutating func appendField(_ text: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        bytes += name
        bytes.append(UInt8(ascii: "="))
        PercentEncoding.form.append(text, to: &bytes)
    }
}
