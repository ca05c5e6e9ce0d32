/// The lines of a header in their order, duplicates and letter case kept.
///
/// Written as a dictionary in a script, `["Set-Cookie": "a=1", "Set-Cookie": "b=2"]`, or made from an array of fields.
package struct WireFields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private var fields: [WireField]

    package init(_ fields: [WireField] = []) {
        self.fields = fields
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { WireField(name: $0.0, value: $0.1) }
    }

    /// The first value under a name, whatever its case.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name.isSameHeader(as: name) }?.value
    }

    package func values(for name: String) -> [String] {
        fields.filter { $0.name.isSameHeader(as: name) }.map(\.value)
    }

    package mutating func append(_ field: WireField) {
        fields.append(field)
    }

    /// The comma-separated members of every field of that name, in lower case.
    func members(of name: String) -> [String] {
        values(for: name).flatMap { value in
            value.lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
    }
}

extension WireFields: RandomAccessCollection {
    package var startIndex: Int { fields.startIndex }
    package var endIndex: Int { fields.endIndex }

    package subscript(position: Int) -> WireField {
        fields[position]
    }
}

extension String {
    /// By ASCII letters only, as header names are compared.
    fileprivate func isSameHeader(as other: String) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 {
        (65...90).contains(self) ? self | 0x20 : self
    }
}
