/// A name or a position on the way to a value.
struct FormKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    init(_ key: some CodingKey) {
        stringValue = key.stringValue
        intValue = key.intValue
    }

    /// The key under which a class encodes its superclass, if it chooses none.
    static let superclass = FormKey(stringValue: "super")
}
