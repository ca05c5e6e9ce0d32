/// A parameter in the common form that ``FormSerializer`` and URI templates read.
enum FormValue: Equatable, Sendable {
    /// A missing value: the field is left out.
    case null

    /// A text, not escaped.
    case text(String)

    /// Elements in their order.
    case array([FormValue])

    /// Fields in the order in which they are written.
    case object([Field])

    /// A named value of an object.
    struct Field: Equatable, Sendable {
        let name: String
        let value: FormValue
    }

    /// The text; nil for other values.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// Whether the value has parts.
    var isNested: Bool {
        switch self {
        case .null, .text: false
        case .array, .object: true
        }
    }
}

extension FormValue {
    /// Converts any value.
    init(_ value: Any, at path: FormPath) throws(ValueFailure) {
        if let converted = try FormValue(convertible: value, at: path) {
            self = converted
        } else if let encodable = value as? any Encodable {
            self = try FormValueEncoder.encode(encodable, at: path)
        } else if let value = value as? any RawRepresentable {
            self = try FormValue(value.rawValue, at: path.appending(nil))
        } else {
            throw path.failure("is of the type \(type(of: value)), which is neither URLTextConvertible nor Encodable")
        }
    }

    /// Converts an `Encodable` value.
    init(encoding value: some Encodable, at path: FormPath) throws(ValueFailure) {
        if let converted = try FormValue(convertible: value, at: path) {
            self = converted
        } else {
            self = try FormValueEncoder.encode(value, at: path)
        }
    }

    private init?(convertible value: Any, at path: FormPath) throws(ValueFailure) {
        if let common = FormValue(common: value, in: path) {
            self = common
        } else if let convertible = value as? any FormConvertible {
            self = try convertible.formValue(at: path)
        } else if let convertible = value as? any URLTextConvertible {
            self = .text(convertible.urlText)
        } else {
            return nil
        }
    }

    /// Converts a value of one of the most frequent types.
    ///
    /// Returns nil for other types, for infinity and NaN, and at the maximum depth.
    ///
    /// Compares types before casting: a cast to a protocol costs more than all other steps, and a cast to `Bool` or
    /// `Int` would bridge on Apple platforms. The path leads to the value or to its container.
    init?(common value: Any, in path: FormPath) {
        guard !path.isDeepest else { return nil }
        let type = type(of: value)
        if type == String.self, let text = value as? String {
            self = .text(text)
        } else if type == Int.self, let number = value as? Int {
            self = .text(String(number))
        } else if type == Bool.self, let value = value as? Bool {
            self = .text(path.style.booleans.text(of: value))
        } else if type == Double.self, let number = value as? Double, number.isFinite {
            self = .text(String(number))
        } else {
            return nil
        }
    }
}

extension FormValue.Field {
    /// Converts a named value of an object at a path.
    init(_ name: String, _ value: Any, in path: FormPath) throws(ValueFailure) {
        self.name = name
        if let common = FormValue(common: value, in: path) {
            self.value = common
        } else {
            self.value = try FormValue(value, at: path.appending(AnyCodingKey(name)))
        }
    }
}

/// A place in a value that is being encoded, and its depth.
///
/// A linked list from the value to the root, which is fast to extend: every value has a place, but only errors need the
/// text of a place.
indirect enum EncodingPlace<Root: Sendable>: Sendable {
    /// The value as a whole.
    case root(Root)

    /// A nested value. The key is nil for the value of a single-value container, which adds depth and no name.
    case part(AnyCodingKey?, of: EncodingPlace, depth: Int)

    /// Creates the place of a nested value.
    func part(_ key: AnyCodingKey?) -> EncodingPlace {
        .part(key, of: self, depth: depth + 1)
    }

    /// The keys from the root to the place.
    var keys: [AnyCodingKey] {
        var keys: [AnyCodingKey] = []
        var place = self
        while case .part(let key, let parent, _) = place {
            if let key { keys.append(key) }
            place = parent
        }
        return keys.reversed()
    }

    var depth: Int {
        switch self {
        case .root: 0
        case .part(_, _, let depth): depth
        }
    }

    /// The value that the root was created with.
    fileprivate var rootValue: Root {
        var place = self
        while true {
            switch place {
            case .root(let value): return value
            case .part(_, let parent, _): place = parent
            }
        }
    }
}

/// A place in the parameters of a form, and the style of the whole form.
typealias FormPath = EncodingPlace<FormStyle>

extension FormPath {
    /// The maximum depth, which keeps values such as an object that contains itself from exhausting the stack.
    ///
    /// Servers have the same limit or a lower one. A debug build needs about 4 KiB of stack for each level, and a
    /// thread may have 512 KiB.
    static var greatestDepth: Int { 64 }

    /// The style of the whole form.
    var style: FormStyle { rootValue }

    /// The text of the place, as in `filter[tags][0]`.
    var text: String { Self.text(of: keys) }

    /// Returns the text of a place that an `Encodable` type reports, as in `filter[tags][0]`.
    static func text(of keys: [any CodingKey]) -> String {
        keys.dropFirst().reduce(keys.first?.stringValue ?? "") { "\($0)[\($1.stringValue)]" }
    }

    /// Returns the place of a part of this value; the key is nil for the value of a single-value container.
    func appending(_ key: AnyCodingKey?) throws(ValueFailure) -> FormPath {
        guard !isDeepest else { throw failure("is nested deeper than \(Self.greatestDepth) levels") }
        return part(key)
    }

    /// Returns the failure of a value at this place that can't be encoded.
    func failure(_ reason: String) -> ValueFailure { ValueFailure(path: text, reason: reason) }

    /// Returns the fields of a value at this place that becomes an object; none for nil.
    func fields(of value: Any) throws(ValueFailure) -> [FormValue.Field] {
        // Faster than the conversion of a dictionary of any type.
        if type(of: value) == Params.self, let params = value as? Params {
            var fields: [FormValue.Field] = []
            fields.reserveCapacity(params.count)
            for (name, value) in params { fields.append(try FormValue.Field(name, value, in: self)) }
            return fields.sorted { $0.name < $1.name }
        }
        switch try FormValue(value, at: self) {
        case .null: return []
        case .object(let fields): return fields
        case .text, .array: throw failure("is not an object, so its parts have no names")
        }
    }

    /// Whether a part of the value at this place would be too deep.
    var isDeepest: Bool { depth >= Self.greatestDepth }
}
