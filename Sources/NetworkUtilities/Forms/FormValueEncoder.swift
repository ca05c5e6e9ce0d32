/// The `Encoder` that an `Encodable` value writes itself into on its way into a form.
struct FormValueEncoder: Encoder {
    let path: FormPath
    let node: FormNode

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Encodes a value that is not ``FormConvertible``.
    static func encode(_ value: any Encodable, at path: FormPath) throws(BodyEncodingError) -> FormValue {
        let encoder = FormValueEncoder(path: path, node: FormNode())
        do {
            try value.encode(to: encoder)
        } catch let error as BodyEncodingError {
            throw error
        } catch let EncodingError.invalidValue(_, context) {
            // The context's text may hold the value, so only its place is repeated.
            throw .form(path: FormPath.text(of: context.codingPath), reason: "cannot be encoded")
        } catch {
            throw path.failure("cannot be encoded: its type threw an error of the type \(type(of: error))")
        }
        return try encoder.node.value()
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject(at: path)
        return KeyedEncodingContainer(FormKeyedContainer(path: path, node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray(at: path)
        return FormUnkeyedContainer(path: path, node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FormSingleValueContainer(path: path, node: node)
    }
}
