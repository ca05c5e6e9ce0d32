/// A place in the parameters, how deep it is, and the style in which everything there is written.
///
/// A list from the inside out, since there is a place for every value, while its text is wanted for an error only.
indirect enum FormPath: Sendable {
    /// The place of the parameters as a whole.
    case root(FormStyle)

    /// The place of a part; without a key that of a value which another one encodes as.
    case part(FormKey?, of: FormPath, depth: Int)

    /// Deeper parameters are refused, so that no value, such as an object that holds itself, can exhaust the stack.
    ///
    /// Servers stop earlier or here. A debug build takes about 4 KiB of stack a level, and a thread may have 512 KiB.
    static let greatestDepth = 64

    /// The names and positions that lead to the place.
    var keys: [FormKey] {
        var keys: [FormKey] = []
        var path = self
        while case .part(let key, let parent, _) = path {
            if let key { keys.append(key) }
            path = parent
        }
        return keys.reversed()
    }

    /// The style of the whole form.
    var style: FormStyle {
        var path = self
        while true {
            switch path {
            case .root(let style): return style
            case .part(_, let parent, _): path = parent
            }
        }
    }

    /// The place as in `filter[tags][0]`.
    var text: String { Self.text(of: keys) }

    /// A place that an `Encodable` type names, as in `filter[tags][0]`.
    static func text(of keys: [any CodingKey]) -> String {
        keys.dropFirst().reduce(keys.first?.stringValue ?? "") { "\($0)[\($1.stringValue)]" }
    }

    /// The place of a part of this value.
    func appending(_ key: FormKey) throws(BodyEncodingError) -> FormPath {
        try deeper(key)
    }

    /// The same place, for a value that encodes as another one.
    func descending() throws(BodyEncodingError) -> FormPath {
        try deeper(nil)
    }

    /// The error that the value at this place has no form.
    func failure(_ reason: String) -> BodyEncodingError {
        .form(path: text, reason: reason)
    }

    /// Whether a part of the value at this place would be too deep.
    var isDeepest: Bool { depth >= Self.greatestDepth }

    private var depth: Int {
        switch self {
        case .root: 0
        case .part(_, _, let depth): depth
        }
    }

    private func deeper(_ key: FormKey?) throws(BodyEncodingError) -> FormPath {
        guard !isDeepest else { throw failure("is nested deeper than \(Self.greatestDepth) levels") }
        return .part(key, of: self, depth: depth + 1)
    }
}
