extension FormSerializer {
    /// The items of one property of an object, and the name that it has.
    struct NamedItems {
        let name: String
        let items: [UInt8]
        /// What else the value replaces: one with parts replaces what is named as a part of it.
        let parts: QueryItemName.Parts
    }

    /// The items of a value that has been given a name; without any for nil.
    static func query(
        of value: some Encodable,
        named name: String,
        style: FormStyle
    ) throws(QueryEncodingError) -> NamedItems {
        do {
            let path = try FormPath.root(style).appending(FormKey(stringValue: name))
            return namedItems(name, try FormValue(encoding: value, at: path), style)
        } catch {
            throw QueryEncodingError(error)
        }
    }

    /// The items of each property that is not nil.
    static func queries(
        of value: some Encodable,
        style: FormStyle
    ) throws(QueryEncodingError) -> [NamedItems] {
        do {
            let root = FormPath.root(style)
            let fields = try FormValue(encoding: value, at: root).fields(at: root)
            return fields.filter { $0.value != .null }.map { namedItems($0.name, $0.value, style) }
        } catch {
            throw QueryEncodingError(error)
        }
    }

    /// The items of an array of texts.
    static func items(named name: String, _ texts: [String], arrays: FormStyle.ArrayStyle) -> [UInt8] {
        items(named: name, .array(texts.map(FormValue.text)), style: FormStyle(arrays: arrays))
    }

    private static func namedItems(_ name: String, _ value: FormValue, _ style: FormStyle) -> NamedItems {
        NamedItems(
            name: name,
            items: items(named: name, value, style: style),
            parts: value.isNested ? style.parts : .none
        )
    }

    private static func items(named name: String, _ value: FormValue, style: FormStyle) -> [UInt8] {
        var serializer = FormSerializer(.query, style: style)
        serializer.append(name, value)
        return serializer.bytes
    }
}
