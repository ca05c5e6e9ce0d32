/// A collection whose elements are the parts of an array.
protocol FormArray: FormConvertible, Sequence {}

extension FormArray {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        var values: [FormValue] = []
        for element in self {
            if let common = FormValue(common: element, in: path) {
                values.append(common)
            } else {
                values.append(try FormValue(element, at: path.appending(FormKey(intValue: values.count))))
            }
        }
        return .array(values)
    }
}

extension Array: FormArray {}
extension ArraySlice: FormArray {}
extension ContiguousArray: FormArray {}

/// The elements of a set have no order, so they are sorted: the same set is the same form each time.
extension Set: FormArray {
    func formValue(at path: FormPath) throws(BodyEncodingError) -> FormValue {
        let value = try FormValue(Array(self), at: path)
        guard case .array(let elements) = value else { return value }
        guard elements.allSatisfy({ $0.text != nil }) else { return .array(elements.sorted { "\($0)" < "\($1)" }) }
        return .array(elements.sorted { ($0.text ?? "") < ($1.text ?? "") })
    }
}
