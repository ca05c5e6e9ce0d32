/// A place in the parameters, and how deep it is.
struct FormPath: Sendable {
    /// Deeper parameters are refused, so that no value, such as an object that holds itself, can exhaust the stack.
    ///
    /// Servers stop earlier or here. A debug build takes about 4 KiB of stack a level, and a thread may have 512 KiB.
    static let greatestDepth = 64

    /// The place of the parameters as a whole.
    static let root = FormPath(keys: [], depth: 0)

    /// The names and positions that lead to the place.
    let keys: [FormKey]
    private let depth: Int

    /// The place as in `filter[tags][0]`.
    var text: String { Self.text(of: keys) }

    /// A place that an `Encodable` type names, as in `filter[tags][0]`.
    static func text(of keys: [any CodingKey]) -> String {
        keys.dropFirst().reduce(keys.first?.stringValue ?? "") { "\($0)[\($1.stringValue)]" }
    }

    /// The place of a part of this value.
    func appending(_ key: FormKey) throws(BodyEncodingError) -> FormPath {
        try deeper(keys + [key])
    }

    /// The same place, for a value that encodes as another one.
    func descending() throws(BodyEncodingError) -> FormPath {
        try deeper(keys)
    }

    /// The error that the value at this place has no form.
    func failure(_ reason: String) -> BodyEncodingError {
        .form(path: text, reason: reason)
    }

    private func deeper(_ keys: [FormKey]) throws(BodyEncodingError) -> FormPath {
        guard depth < Self.greatestDepth else { throw failure("is nested deeper than \(Self.greatestDepth) levels") }
        return FormPath(keys: keys, depth: depth + 1)
    }
}
